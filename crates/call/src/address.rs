//! Addresses that are not of the public internet.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Networks that are not public, from the registries of special-purpose addresses (RFC
/// 6890) and multicast: first address, bits.
const V4: &[(Ipv4Addr, u32)] = &[
    (Ipv4Addr::UNSPECIFIED, 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(224, 0, 0, 0), 3),
];

/// Networks in `2000::/3`, the public part of IPv6, that are not public.
const V6: &[(Ipv6Addr, u32)] = &[
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];
const V6_PUBLIC: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);
const V6_MAPPED: (Ipv6Addr, u32) = (Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, 0, 0), 96);
const V6_TRANSLATED: (Ipv6Addr, u32) = (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96);
const V6_TO_4: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16);

/// Returns true if an address is not one of the public internet: an address of this machine,
/// of the networks around it, of a group of machines, or reserved. An IPv6 address that
/// contains an IPv4 address is judged by that.
///
/// A host checks an address after the name is resolved, and connects to what it checked.
///
/// ```
/// use toolglot_call::is_private_address;
///
/// assert!(is_private_address("127.0.0.1".parse()?));
/// assert!(is_private_address("::ffff:169.254.169.254".parse()?));
/// assert!(!is_private_address("8.8.8.8".parse()?));
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
pub fn is_private_address(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !is_public_v4(address),
        IpAddr::V6(address) => !is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let bits = address.to_bits();
    !V4.iter().any(|(network, length)| (bits ^ network.to_bits()).leading_zeros() >= *length)
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let bits = address.to_bits();
    let is_in =
        |(network, length): (Ipv6Addr, u32)| (bits ^ network.to_bits()).leading_zeros() >= length;
    // An IPv6 address that contains an IPv4 address leads to that address.
    let older = |shift: u32| {
        let [.., a, b, c, d] = (bits >> shift).to_be_bytes();
        is_public_v4(Ipv4Addr::new(a, b, c, d))
    };
    if is_in(V6_MAPPED) || is_in(V6_TRANSLATED) {
        return older(0);
    }
    if is_in(V6_TO_4) {
        return older(80);
    }
    is_in(V6_PUBLIC) && !V6.iter().copied().any(is_in)
}

#[cfg(test)]
mod tests {
    use super::is_private_address;

    const SPECIAL: &str = "
        0.0.0.0 0.255.255.255 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1
        127.255.255.255 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 192.88.99.1
        192.168.0.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.9 224.0.0.1 239.255.255.250
        240.0.0.1 255.255.255.255 :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:10.0.0.1
        64:ff9b::10.0.0.1 64:ff9b:1::1 100::1 2001::1 2001:2::1 2001:db8::1 2002:7f00:1::1
        2002:a00:1::1 3fff::1 5f00::1 fc00::1 fd12:3456::1 fe80::1 fec0::1 ff02::1";

    const PUBLIC: &str = "
        1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1
        169.253.255.255 172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255 192.169.0.0
        198.17.255.255 198.20.0.0 223.255.255.255 ::ffff:8.8.8.8 64:ff9b::8.8.8.8
        2001:4860:4860::8888 2002:808:808::1 2606:4700:4700::1111 2a00:1450::1";

    /// Examples of each row of the IANA registries, and neighbours of their edges.
    #[test]
    fn special_addresses_are_private() {
        for (list, expected) in [(SPECIAL, true), (PUBLIC, false)] {
            for text in list.split_whitespace() {
                assert_eq!(is_private_address(text.parse().unwrap()), expected, "{text}");
            }
        }
    }
}
