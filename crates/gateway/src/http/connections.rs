//! Connections: as many as there is room for, and none that does nothing.

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

/// Connections at once, in all and from one other machine.
const MOST: usize = 768;
const MOST_OF_ONE: usize = 128;
/// How long a client may take to send the head of a request, or to begin one.
const PATIENCE: Duration = Duration::from_secs(10);
/// How much of a head is read.
const LONGEST_HEAD: usize = 64 << 10;

/// How many connections there are, by client.
#[derive(Clone, Default)]
struct Counts(Arc<Mutex<BTreeMap<IpAddr, usize>>>);

/// The place of one connection.
struct ConnectionSlot {
    counts: Counts,
    client: IpAddr,
}

impl Counts {
    /// A place for a client, if there is one.
    fn place(&self, client: IpAddr) -> Option<ConnectionSlot> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let total: usize = all.values().sum();
        let own = all.get(&client).copied().unwrap_or_default();
        // On this machine, all clients have one address.
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

/// Answers requests for ever, or until the listener fails.
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
        // Who finds no place is not answered: an answer would need one.
        let Some(place) = counts.place(client.ip()) else { continue };
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let _place = place;
            // A client that goes away is its own loss.
            let _ = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(PATIENCE)
                .max_buf_size(LONGEST_HEAD)
                .serve_connection(TokioIo::new(Timed::new(stream)), service)
                .await;
        });
    }
}

/// Whether accepting may work again: the client has gone, or the system is short of something.
fn is_passing(error: &io::Error) -> bool {
    !matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported)
}
