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

use super::slow_reader::WriteTimeout;

/// The most connections at once, in total and from one other machine.
const MAX_CONNECTIONS: usize = 768;
const MAX_PER_CLIENT: usize = 128;
/// The time limit for beginning a request and for sending its head.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// The longest head of a request, in bytes.
const MAX_HEAD_BYTES: usize = 64 << 10;

/// The number of connections of each client.
#[derive(Clone, Default)]
struct ConnectionCounts(Arc<Mutex<BTreeMap<IpAddr, usize>>>);

/// One counted connection. Dropping it uncounts it.
struct ConnectionSlot {
    counts: ConnectionCounts,
    client: IpAddr,
}

impl ConnectionCounts {
    /// Counts a connection of a client. Returns `None` if a limit is reached.
    fn reserve(&self, client: IpAddr) -> Option<ConnectionSlot> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let total: usize = all.values().sum();
        let own = all.get(&client).copied().unwrap_or_default();
        // All clients on this machine have the same address.
        if total >= MAX_CONNECTIONS || (own >= MAX_PER_CLIENT && !client.is_loopback()) {
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
    let counts = ConnectionCounts::default();
    loop {
        let (stream, client) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) if is_transient(&error) => {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
            Err(error) => return Err(error),
        };
        // A client without a slot gets no answer, because the answer would need a slot.
        let Some(place) = counts.reserve(client.ip()) else { continue };
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let _place = place;
            // An error concerns only this client, which may have disconnected.
            let _ = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_TIMEOUT)
                .max_buf_size(MAX_HEAD_BYTES)
                .serve_connection(TokioIo::new(WriteTimeout::new(stream)), service)
                .await;
        });
    }
}

/// Returns true if accepting may work again, for example if a client has disconnected or
/// the system is short of resources.
fn is_transient(error: &io::Error) -> bool {
    !matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported)
}
