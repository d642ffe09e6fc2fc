// Channels that two ends alone know: their names are drawn from the keys of both (ECDH), and nobody can list names of channels.

import { CHANNEL } from "./wire.js";

const CURVE = { name: "ECDH", namedCurve: "P-256" };
const HOST = `${CHANNEL} host `;

/** A pair of keys; the public one as text. */
export interface Keys {
  own: CryptoKey;
  shown: string;
}

const toText = (bytes: ArrayBuffer): string => btoa(String.fromCharCode(...new Uint8Array(bytes)));

export async function drawKeys(): Promise<Keys> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(CURVE, false, ["deriveBits"]);
  return { own: privateKey, shown: toText(await crypto.subtle.exportKey("raw", publicKey)) };
}

/** The channel of whoever has `own` with whoever has the private key of `shown`. */
export async function openSecret(own: CryptoKey, shown: string): Promise<BroadcastChannel> {
  const raw = Uint8Array.from(atob(shown), (one) => one.charCodeAt(0));
  const key = await crypto.subtle.importKey("raw", raw, CURVE, false, []);
  return new BroadcastChannel(
    `pith ${toText(await crypto.subtle.deriveBits({ name: "ECDH", public: key }, own, 256))}`,
  );
}

/** The lock that shows the key of the page that runs the worker. It counts only beside the lock of all tabs. */
export const keyLockOf = ({ shown }: Keys): string => HOST + shown;

/** The key of the page that holds the lock of all tabs. The browser says who holds a lock: no other page can pass for it. */
export async function findHostKey(): Promise<string | undefined> {
  const { held = [] } = await navigator.locks.query();
  const holder = held.find(({ name }) => name === CHANNEL)?.clientId;
  const shows = ({ name, clientId }: LockInfo): boolean => clientId === holder && name!.startsWith(HOST);
  return holder ? held.find(shows)?.name!.slice(HOST.length) : undefined;
}
