import type { ModelInput } from "@pith/web";
import { part, showError } from "./dom.js";
import { checking } from "./fit.js";
import { Job } from "./job.js";
import { downloading } from "./load.js";
import type { Session } from "./session.js";

/** The form for a model at any address. */
export function initAddress(session: Session): void {
  const form = part<HTMLFormElement>("address-form");
  const address = part<HTMLInputElement>("address");
  const hash = part<HTMLInputElement>("hash");
  const place = part("address-outcome");
  const job = new Job(session, () => "Model from an address", part("address-actions"), place);
  const given = (): { input: ModelInput; url: string } => {
    const sha256 = hash.value.trim().toLowerCase();
    const { href } = new URL(address.value.trim());
    return { url: href, input: { url: href, ...(sha256 && { sha256 }) } };
  };
  const check = (): void => {
    if (!form.reportValidity()) return;
    const { input, url } = given();
    void job.run(checking(session, input, check), url);
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { input, url } = given();
    if (session.isBusy(url)) showError(place, "This model is on its way already.");
    else void job.run(downloading(session, input, job), url);
  });
  part("address-check").addEventListener("click", check);
}
