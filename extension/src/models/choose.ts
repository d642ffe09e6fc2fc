// Who writes and who reads, as a press on a page about models chooses it.
import { changeRoles, type LocalWriter, type Roles } from "../roles.js";
import type { ModelsLink } from "./link.js";

/** Under which work on a chosen model is found. */
export const roleKey = ({ source, name }: Pick<LocalWriter, "source" | "name">): string => source?.url ?? name;

/** Lets a model write, and finds out what it may write unless that is known. */
export function chooseWriter(link: ModelsLink, writer: Roles["writer"]): void {
  link.update({ roles: { ...link.model.roles, writer } });
  void changeRoles({ writer });
  if (writer?.type === "local" && writer.tier === null) judge(link, writer);
}

export function judge(link: ModelsLink, writer: LocalWriter): void {
  const { backend } = link.model;
  link.send({ type: "judge", key: roleKey(writer), name: writer.name, backend });
}

/** Lets an encoder read; null is the built-in one. */
export function chooseEncoder(link: ModelsLink, encoder: Roles["encoder"]): void {
  link.update({ roles: { ...link.model.roles, encoder } });
  void changeRoles({ encoder });
}
