// Turning the server on and off: what is stored, who writes, and which address the extension may connect to.
import { platform } from "#platform";
import {
  type Connection,
  forgetConnection,
  readConnection,
  writeConnection,
} from "../../host/writers/openai/connection.js";
import { dropPermission } from "../../borrowed.js";
import { readRoles, type Roles, writeRoles } from "../../roles.js";
import { isPrivate } from "../../storage.js";

/** Private windows store a server of their own until the last one closes. */
export { isPrivate };

const permission = (address: string): chrome.permissions.Permissions => platform.serverPermission(new URL(address));

/**
 * Asks the browser for the permission to connect. Must be called in the same task as the user's click.
 *
 * Gives whether there is one, and whether it is new.
 */
export async function askPermission(address: string): Promise<{ isGranted: boolean; isNew: boolean }> {
  const wanted = permission(address);
  const [had, isGranted] = await Promise.all([chrome.permissions.contains(wanted), chrome.permissions.request(wanted)]);
  return { isGranted, isNew: isGranted && !had };
}

/** The server that is on in this kind of window, and whether it is the one who writes. */
export async function readState(): Promise<{ connection: Connection | null; isOn: boolean }> {
  const [connection, { writer }] = await Promise.all([readConnection(), readRoles()]);
  return { connection, isOn: connection !== null && writer?.type === "server" };
}

/** Whether servers may be turned on here: a private window leaves no trace in what is stored for all. */
export const mayTurnOn = async (): Promise<boolean> => !isPrivate() || (await readRoles()).writer?.type === "server";

/** Two addresses may share a permission. */
const patterns = (address: string): string => String(permission(address).origins);

export async function turnOn(connection: Connection): Promise<void> {
  const before = await readConnection();
  await writeConnection(connection);
  if (before && patterns(before.base) !== patterns(connection.base)) await dropPermission(before.base);
  if (isPrivate()) return;
  const host = new URL(connection.base).host;
  await writeRoles({ ...(await readRoles()), writer: { type: "server", host, model: connection.model } });
}

const hostOf = ({ writer }: Roles): string => (writer?.type === "server" ? writer.host : "");

/** Forgets address and key, and withdraws the permission. */
export async function turnOff(): Promise<void> {
  const [connection, roles] = await Promise.all([readConnection().catch(() => null), readRoles()]);
  await forgetConnection();
  const isServer = roles.writer?.type === "server";
  if (isServer && !isPrivate()) await writeRoles({ ...roles, writer: null });
  // Normal and private windows share their permissions.
  const isShared = isPrivate() && isServer && connection && new URL(connection.base).host === hostOf(roles);
  if (connection && !isShared) await dropPermission(connection.base);
}
