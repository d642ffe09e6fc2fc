// Firefox, driven through Marionette, its own protocol: JSON messages on a socket, each behind its length.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * A port of its own; WebGL also where the graphics driver is unknown or emulated. AVX is off because Firefox mixes its instructions with
 * those of SSE in compiled wasm: on some processors, by chance, a worker's products then take over fifty times as long.
 */
const PREFERENCES = {
  "marionette.port": 0,
  "webgl.force-enabled": true,
  "javascript.options.wasm_simd_avx": false,
  "app.update.disabledForTesting": true,
};

export interface FirefoxOptions {
  /** More preferences, made of the folder of the profile. */
  preferences?: (profile: string) => Record<string, unknown>;
  /** More for the command line. */
  args?: string[];
}

const START_MS_MAX = 60_000;
const SCRIPT_MS_MAX = 600_000;

/** Where Firefox is: `PITH_FIREFOX`, or on the path. */
export function findFirefox(): string {
  const names = ["firefox-esr", "firefox"];
  const folders = (process.env.PATH ?? "").split(delimiter);
  const places = [process.env.PITH_FIREFOX, ...names.flatMap((name) => folders.map((folder) => join(folder, name)))];
  const found = places.find((place) => place && existsSync(place));
  if (!found) throw new Error("Firefox is not installed: install firefox-esr, or name the program in PITH_FIREFOX");
  return found;
}

type Message = [type: 0 | 1, id: number, error: { error: string; message: string } | null, result: unknown];

/**
 * A screen. Without one Firefox has no WebGL; where there is none it gets that of an Xvfb, if that is installed.
 */
async function screen(): Promise<{ display: string | null; close(): void }> {
  if (process.env.DISPLAY) return { display: process.env.DISPLAY, close: () => undefined };
  const server = spawn("Xvfb", ["-displayfd", "1", "-screen", "0", "1024x768x24"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const number = await new Promise<string | null>((resolve) => {
    server.on("error", () => resolve(null));
    server.stdout.once("data", (data: Buffer) => resolve(data.toString().trim()));
  });
  return { display: number === null ? null : `:${number}`, close: () => void server.kill() };
}

/** One tab of one Firefox. */
export class Firefox {
  #buffer = Buffer.alloc(0);
  #next = 0;
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();

  /** The address of the session for WebDriver BiDi, where the command line opened a port for that. */
  bidiUrl: string | null = null;

  private constructor(
    private readonly program: ChildProcess,
    readonly profile: string,
    private readonly socket: Socket,
    private readonly closeScreen: () => void,
  ) {
    socket.on("data", (data) => this.#take(data));
    socket.on("close", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error("Firefox has closed the connection"));
    });
  }

  /** Starts it with a profile of its own. */
  static async launch({ preferences, args = [] }: FirefoxOptions = {}): Promise<Firefox> {
    const profile = await mkdtemp(join(tmpdir(), "pith-firefox-"));
    const lines = Object.entries({ ...PREFERENCES, ...preferences?.(profile) }).map(
      ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`,
    );
    await writeFile(join(profile, "user.js"), lines.join("\n"));
    const { display, close } = await screen();
    const program = spawn(
      findFirefox(),
      [...(display ? [] : ["--headless"]), "--marionette", "--no-remote", "--profile", profile, ...args],
      { stdio: "ignore", env: { ...process.env, ...(display && { DISPLAY: display }) } },
    );
    const port = await activePort(profile, program);
    const socket = connect({ host: "127.0.0.1", port });
    const firefox = new Firefox(program, profile, socket, close);
    const session = await firefox.#send("WebDriver:NewSession", {
      webSocketUrl: true,
      unhandledPromptBehavior: "ignore",
    });
    firefox.bidiUrl = (session as { capabilities: { webSocketUrl?: string } }).capabilities.webSocketUrl ?? null;
    await firefox.#send("WebDriver:SetTimeouts", { script: SCRIPT_MS_MAX, pageLoad: START_MS_MAX });
    return firefox;
  }

  async goto(url: string): Promise<void> {
    await this.#send("WebDriver:Navigate", { url });
  }

  /** Waits for a function of the page, `globalThis[owner][name]`, and gives what it returns. Values travel as JSON. */
  async call<T>(owner: string, name: string, values: unknown[]): Promise<T> {
    // The page's functions are called by a script of the page: one of ours could not hand objects to them.
    const script = `
      const [call, done] = arguments;
      const out = document.body.appendChild(document.createElement("output"));
      out.addEventListener("finished", () => { done(out.textContent); out.remove(); }, { once: true });
      const script = document.createElement("script");
      script.textContent = call;
      document.head.append(script);
      script.remove();`;
    const call = `(async (out) => {
      let answer;
      try {
        while (!globalThis[${JSON.stringify(owner)}]) await new Promise((resolve) => setTimeout(resolve, 20));
        const value = await globalThis[${JSON.stringify(owner)}][${JSON.stringify(name)}](...${JSON.stringify(values)});
        answer = { value };
      } catch (error) {
        answer = { error: String(error) };
      }
      out.textContent = JSON.stringify(answer);
      out.dispatchEvent(new Event("finished"));
    })(document.body.lastElementChild)`;
    const answer = (await this.#send("WebDriver:ExecuteAsyncScript", { script, args: [call] })) as { value: string };
    const { value, error } = JSON.parse(answer.value) as { value: T; error?: string };
    if (error) throw new Error(`${owner}.${name}: ${error}`);
    return value;
  }

  get pid(): number {
    return this.program.pid ?? 0;
  }

  /** Installs an unpacked extension until the browser closes; gives its id. */
  async install(folder: string): Promise<string> {
    const { value } = (await this.#send("Addon:Install", { path: folder, temporary: true })) as { value: string };
    return value;
  }

  /**
   * Runs a body of a function in the browser's own process: what it returns travels as JSON. From then on the pages are
   * out of the reach of `goto` and `call`.
   */
  async inBrowser<T>(body: string, values: unknown[] = []): Promise<T> {
    await this.#send("Marionette:SetContext", { value: "chrome" });
    const script = `
      const done = arguments[arguments.length - 1];
      (async function () {
        ${body}
      }).apply(null, arguments).then((value) => done({ value: value ?? null }), (error) => done({ error: String(error) }));`;
    const parameters = { script, args: values, sandbox: "system", newSandbox: false };
    const answer = (await this.#send("WebDriver:ExecuteAsyncScript", parameters)) as {
      value: { value: T; error?: string };
    };
    if (answer.value.error) throw new Error(answer.value.error);
    return answer.value.value;
  }

  async close(): Promise<void> {
    await this.#send("Marionette:Quit", { flags: ["eForceQuit"] }).catch(() => undefined);
    this.socket.destroy();
    this.program.kill();
    this.closeScreen();
    await rm(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  #send(name: string, parameters: object): Promise<unknown> {
    const id = ++this.#next;
    const message = JSON.stringify([0, id, name, parameters]);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.socket.write(`${Buffer.byteLength(message)}:${message}`);
    });
  }

  #take(data: Buffer): void {
    this.#buffer = Buffer.concat([this.#buffer, data]);
    for (;;) {
      const colon = this.#buffer.indexOf(":");
      if (colon < 0) return;
      const end = colon + 1 + Number(this.#buffer.subarray(0, colon).toString());
      if (this.#buffer.length < end) return;
      const message = JSON.parse(this.#buffer.subarray(colon + 1, end).toString()) as unknown;
      this.#buffer = this.#buffer.subarray(end);
      // The first message says who is there.
      if (!Array.isArray(message)) continue;
      const [, id, error, result] = message as Message;
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error) waiting?.reject(new Error(`${error.error}: ${error.message}`));
      else waiting?.resolve(result);
    }
  }
}

/** The port that Firefox writes to its profile once it listens. */
async function activePort(profile: string, program: ChildProcess): Promise<number> {
  const file = join(profile, "MarionetteActivePort");
  for (let waited_ms = 0; waited_ms < START_MS_MAX; waited_ms += 100) {
    if (program.exitCode !== null) throw new Error(`Firefox ended with ${program.exitCode}`);
    const port = existsSync(file) ? Number(await readFile(file, "utf8")) : 0;
    if (port > 0) return port;
    await sleep(100);
  }
  program.kill();
  throw new Error("Firefox does not listen");
}
