//! After a lost device a request goes on with a new one: what it did is done again, or continued. Nobody else is told than
//! by progress.

use crate::device_loss::explained;
use crate::error::{Code, WorkerError};
use crate::residency::Residency;
use crate::ticket::Ticket;

/// Does `work` with the model called `name`, and again with a new device while its device is lost, within
/// [`Ticket::may_recover`].
///
/// # Errors
/// Those of `work`.
pub async fn recovering<T>(
    residency: &mut Residency,
    name: &str,
    ticket: &Ticket,
    mut work: impl AsyncFnMut(&mut Residency) -> Result<T, WorkerError>,
) -> Result<T, WorkerError> {
    loop {
        // In a box: these futures hold each other.
        let error = match Box::pin(work(residency)).await {
            Ok(result) => return Ok(result),
            Err(error) => explained(error, || residency.has_lost(name)).await,
        };
        if error.code() != Code::DeviceLost || !ticket.may_recover() {
            return Err(error);
        }
        residency.rest_lost();
    }
}
