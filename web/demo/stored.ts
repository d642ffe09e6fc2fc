import type { StoredModel, StoreInfo, StoreKind } from "@pith/web";
import { card } from "./card.js";
import { button, part, relabel } from "./dom.js";
import type { Work } from "./job.js";
import { downloading, loading } from "./load.js";
import { type Row, Rows } from "./rows.js";
import type { Session } from "./session.js";
import { deleting, pinning, saving, verifying } from "./upkeep.js";
import { ago, size } from "./words.js";

const KINDS: Record<StoreKind, string> = {
  auto: "in this browser",
  opfs: "in this browser’s private files",
  indexedDb: "in this browser’s database",
  memory: "in memory only, until this page is closed",
};

/** The list of stored models, and a line about the place where they are. */
export function initStored(session: Session): void {
  const rows = new Rows<StoredModel>(
    part("stored"),
    ({ name }) => name,
    (model) => storedRow(session, model),
  );
  session.onView(({ stored, store }) => {
    rows.draw([...stored].sort((a, b) => titleOf(a).localeCompare(titleOf(b)) || a.name.localeCompare(b.name)));
    part("store").textContent = storeWords(store);
    part("nothing-stored").hidden = stored.length > 0;
  });
}

const titleOf = ({ title, name }: StoredModel): string => title ?? name;

function storeWords({ kind, usedBytes, freeBytes, persisted }: StoreInfo): string {
  const words = [`Models are kept ${KINDS[kind]}`];
  if (usedBytes !== null) words.push(`${size(usedBytes)} used`);
  if (freeBytes !== null) words.push(`${size(freeBytes)} free`);
  if (kind !== "memory")
    words.push(
      persisted ? "the browser keeps them until you delete them" : "the browser may delete them when space gets scarce",
    );
  return `${words.join(" · ")}.`;
}

function lineOf(model: StoredModel): string {
  const { bytes, totalBytes, whole, files, lastUsedMs, pinned, title, name, url } = model;
  if (!whole && url === null) return `Incomplete: choose the file again below, or delete this · ${name}`;
  const far = totalBytes
    ? `${Math.floor((bytes / totalBytes) * 100)} % of ${size(totalBytes)}`
    : `${size(bytes)} so far`;
  const words = [whole ? size(bytes) : far, ...(files > 1 ? [`${files} files`] : [])];
  if (lastUsedMs > 0) words.push(`used ${ago(lastUsedMs)}`);
  if (pinned) words.push("pinned: never proposed for deletion");
  if (title !== null) words.push(name);
  return words.join(" · ");
}

function storedRow(session: Session, first: StoredModel): Row<StoredModel> {
  let model = first;
  const { name, url } = model;
  const { element, title, line, actions, job } = card(session, titleOf(model));
  const run = (work: Work): void => void job.run(work, url);
  const work = (): Work =>
    url === null || model.whole ? loading(session, { stored: name }) : downloading(session, { url }, job);
  const go = button("", "", () => run(work()), "primary");
  const check = button("", "", () => run(verifying(session, model, run)));
  const pin = button("", "", () => run(pinning(session, name, !model.pinned)));
  const save = button("", "", () => run(saving(session, name)));
  const remove = button("", "", () => {
    const question = `Delete ${titleOf(model)} from this browser?`;
    job.confirm(question, "Delete", "Keep", deleting(session, name, titleOf(model)), url);
  });
  actions.append(go, check, pin, save, remove);
  return {
    element,
    update: (now) => {
      model = now;
      const busy = url !== null && session.isBusy(url) && !job.running;
      const called = titleOf(model);
      title.textContent = called;
      line.textContent = busy ? "Under way: see below." : lineOf(model);
      relabel(go, model.whole ? "Load" : "Continue", called);
      relabel(check, "Check for damage", called);
      relabel(pin, model.pinned ? "Unpin" : "Pin", called);
      relabel(save, "Save as file", called);
      relabel(remove, "Delete", called);
      for (const one of [go, check, pin, save, remove]) one.disabled = busy;
      go.hidden = !model.whole && url === null;
      for (const one of [check, save]) one.hidden = !model.whole;
    },
  };
}
