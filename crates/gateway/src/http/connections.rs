//! Accepts connections, limits their number, and closes idle ones.

use std::collections::BTreeMap;
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;

use super::timed::Timed;

/// The most connections at once, in total and from one other machine.
const MOST: usize = 768;
const MOST_OF_ONE: usize = 128;
/// The time limit for beginning a request and for sending its head.
const PATIENCE: Duration = Duration::from_secs(10);
/// The longest head of a request, in bytes.
const LONGEST_HEAD: usize = 64 << 10;

/// The number of connections of each client.
#[derive(Clone, Default)]
struct Counts(Arc<Mutex<BTreeMap<IpAddr, usize>>>);

/// One counted connection. Dropping it uncounts it.
struct ConnectionSlot {
    counts: Counts,
    client: IpAddr,
}

impl Counts {
    /// Counts a connection of a client. Returns `None` if a limit is reached.
    fn place(&self, client: IpAddr) -> Option<ConnectionSlot> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let total: usize = all.values().sum();
        let own = all.get(&client).copied().unwrap_or_default();
        // All clients on this machine have the same address.
        if total >= MOST || (own >= MOST_OF_ONE && !client.is_loopback()) {
            return None;
        }
        all.insert(client, own + 1);
        Some(ConnectionSlot { counts: self.clone(), client })
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let mut all = self.counts.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = all.get_mut(&self.client) {
            *own -= 1;
            if *own == 0 {
                all.remove(&self.client);
            }
        }
    }
}

/// Answers requests until the listener fails.
pub(super) async fn serve(listener: TcpListener, router: Router) -> io::Result<()> {
    let counts = Counts::default();
    loop {
        let (stream, client) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) if is_passing(&error) => {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
            Err(error) => return Err(error),
        };
        // A client without a slot gets no answer, because the answer would need a slot.
        let Some(place) = counts.place(client.ip()) else { continue };
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let _place = place;
            // An error concerns only this client, which may have disconnected.
            let _ = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(PATIENCE)
                .max_buf_size(LONGEST_HEAD)
                .serve_connection(TokioIo::new(Timed::new(stream)), service)
                .await;
        });
    }
}

/// Returns true if accepting may work again, for example if a client has disconnected or
/// the system is short of resources.
fn is_passing(error: &io::Error) -> bool {
    !matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported)
}
