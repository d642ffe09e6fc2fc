// Draws src/icons/*.png from src/icons/icon.svg. The drawing is circles only, so this needs no other tool.
import { readFileSync, writeFileSync } from "node:fs";
import { crc32, deflateSync } from "node:zlib";

const ICONS = new URL("../src/icons/", import.meta.url);
const SIZES = [16, 32, 48, 128];
/** Samples along each side of a pixel. */
const SAMPLES = 8;

const svg = readFileSync(new URL("icon.svg", ICONS), "utf8");
const side = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)[1]);
const circles = [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)" fill="#([0-9a-f]{6})"/g)].map(
  ([, cx, cy, r, color]) => ({ cx: +cx, cy: +cy, r: +r, rgb: color.match(/../g).map((pair) => parseInt(pair, 16)) }),
);

/** The topmost circle at a point. */
const at = (x, y) => circles.findLast(({ cx, cy, r }) => (x - cx) ** 2 + (y - cy) ** 2 <= r * r);

/** One pixel as RGBA, averaged over its samples. */
function pixel(size, px, py) {
  const sum = [0, 0, 0];
  let hits = 0;
  for (let i = 0; i < SAMPLES * SAMPLES; i++) {
    const x = ((px + ((i % SAMPLES) + 0.5) / SAMPLES) * side) / size;
    const y = ((py + (Math.floor(i / SAMPLES) + 0.5) / SAMPLES) * side) / size;
    const hit = at(x, y);
    if (!hit) continue;
    hits++;
    hit.rgb.forEach((value, channel) => (sum[channel] += value));
  }
  return [...sum.map((value) => (hits ? Math.round(value / hits) : 0)), Math.round((255 * hits) / SAMPLES ** 2)];
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

function png(size) {
  const rows = Array.from({ length: size }, (_, y) => [
    0,
    ...Array.from({ length: size }, (_, x) => pixel(size, x, y)).flat(),
  ]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  // 8 bits a channel, RGBA.
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.from(rows.flat()), { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

for (const size of SIZES) writeFileSync(new URL(`${size}.png`, ICONS), png(size));
