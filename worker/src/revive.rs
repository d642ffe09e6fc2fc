//! Models that were taken out of memory, or whose device was lost, are made again when a request names them.

use crate::browser::now_ms;
use crate::device_loss::explained;
use crate::error::{Code, WorkerError};
use crate::load::{Access, load};
use crate::lora::attach;
use crate::protocol::LoraUse;
use crate::residency::{Residency, Resident};
use crate::ticket::Ticket;
use crate::wish::Recipe;

impl Residency {
    /// The model called `name`, with this adapter or none until the next call. When its device was lost it is made
    /// again, on a new one.
    ///
    /// # Errors
    /// `ModelNotLoaded`, `LoraNotLoaded`, `BadMessage` for a scale that is no number; what loading gives, after a
    /// loss.
    pub async fn model(
        &mut self,
        name: &str,
        lora: Option<&LoraUse>,
        ticket: &Ticket,
    ) -> Result<&mut Resident, WorkerError> {
        self.revive(name, ticket).await?;
        let resident = self.resident(name)?;
        resident.used_ms = now_ms();
        resident.use_lora(lora)?;
        Ok(resident)
    }

    async fn revive(&mut self, name: &str, ticket: &Ticket) -> Result<(), WorkerError> {
        // Noticed before a call failed. Who waits is told, as after one that did.
        if self.has_lost(name) && !ticket.may_recover() {
            let detail = "the device was lost too often".to_owned();
            return Err(WorkerError::Engine { code: "device_lost", detail });
        }
        self.rest_lost();
        let Some(recipe) = self.absent(name).cloned() else { return Ok(()) };
        let result = self.make_again(recipe.clone(), ticket).await;
        if result.is_err() {
            // The next request tries once more.
            self.put_off(recipe);
        }
        result
    }

    async fn make_again(&mut self, recipe: Recipe, ticket: &Ticket) -> Result<(), WorkerError> {
        let name = recipe.wish.name.clone();
        // Whoever deleted it did not ask for another download.
        recipe.origin.expect_stored().await?;
        load(&mut Access::Held(self), recipe.wish, recipe.origin, ticket).await?;
        for (wish, origin) in recipe.loras {
            if origin.expect_stored().await.is_err() {
                continue;
            }
            let Err(error) = attach(self, &name, wish, origin, ticket).await else { continue };
            let error = explained(error, || self.has_lost(&name)).await;
            if matches!(error.code(), Code::Cancelled | Code::DeviceLost) {
                return Err(error);
            }
            // Its file is gone: a request that names it is told that it is not loaded, the others work.
        }
        Ok(())
    }
}
