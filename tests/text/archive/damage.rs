//! Damaged archives: every truncation, every bit flip.

use manifest_core::Limits;
use toolglot_tests::on_a_small_stack;

use super::builder::{File, archive as build, good};

/// Row Z52 of the catalogue of attacks.
#[test]
fn no_truncation_is_accepted() {
    let bytes = good();
    let limits = Limits::default();
    for length in 0..bytes.len() {
        assert!(archive::read(&bytes[..length], &limits).is_err(), "{length} bytes");
    }
}

/// Row Z53 of the catalogue of attacks.
#[test]
fn a_flipped_bit_is_noticed_or_changes_nothing() {
    let limits = Limits::default();
    let small = [
        File::described(
            "manifest.json",
            b"{\"toolId\": \"demo.echo\", \"toolId2\": \"demo.echo\"}",
        ),
        File::stored("a/b.txt", "hello"),
    ];
    for bytes in [build(&small), good()] {
        let original = archive::read(&bytes, &limits).unwrap();
        let directory = bytes.windows(4).position(|w| w == b"PK\x01\x02").unwrap();
        let mut survivors = Vec::new();
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            if let Ok(found) = archive::read(&flipped, &limits) {
                let names = |a: &archive::Archive<'_>| {
                    a.entries
                        .iter()
                        .map(|e| (e.name.to_string(), e.data.to_vec()))
                        .collect::<Vec<_>>()
                };
                assert_eq!(names(&found), names(&original), "bit {bit}");
                survivors.push(bit);
            }
        }
        // Versions and attributes say nothing about the content. What is left are
        // the unused bits at the end of a compressed stream.
        let records = [directory, second(&bytes, b"PK\x01\x02")];
        let locals = [0, second(&bytes, b"PK\x03\x04")];
        let free = |bit: &usize| {
            let byte = bit / 8;
            let within = |starts: &[usize], ranges: &[(usize, usize)]| {
                starts.iter().any(|start| {
                    ranges.iter().any(|(from, to)| (start + from..start + to).contains(&byte))
                })
            };
            within(&records, &[(4, 8), (36, 38), (38, 42)]) || within(&locals, &[(4, 6)])
        };
        let others: Vec<_> = survivors.iter().filter(|bit| !free(bit)).collect();
        assert!(others.len() <= 14, "{others:?}");
    }
}

/// Where a signature is found for the second time.
fn second(bytes: &[u8], signature: &[u8]) -> usize {
    let mut found = bytes.windows(4).enumerate().filter(|(_, w)| *w == signature);
    found.nth(1).unwrap().0
}

#[test]
fn noise_is_refused_on_a_small_stack() {
    let run = || {
        let mut state = 1_u64;
        for _ in 0..2000 {
            let mut bytes = good();
            for _ in 0..8 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let at = usize::try_from(state >> 33).unwrap() % bytes.len();
                bytes[at] = state.to_le_bytes()[6];
            }
            drop(archive::read(&bytes, &Limits::default()));
        }
    };
    on_a_small_stack(run);
}
