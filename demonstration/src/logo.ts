import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

const SIDE_PX = 96;
/** Points per pixel side that are averaged, for smooth edges. */
const SAMPLES = 4;
const CORNER = 0.36;

const COLOURS = [
  [0x1f, 0x4e, 0x79],
  [0x0f, 0x6b, 0x5c],
  [0x6b, 0x2d, 0x5c],
  [0x9a, 0x3b, 0x1f],
  [0x3d, 0x4f, 0x1f],
  [0x2f, 0x3e, 0x9e],
  [0x7a, 0x5a, 0x0b],
  [0x3a, 0x46, 0x54],
] as const;

/** Shapes by whether a point is inside, with x and y from -1 to 1, y downwards. */
const MARKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => Math.abs(Math.hypot(x, y) - 0.46) < 0.13,
  (x, y) => Math.max(Math.abs(x), Math.abs(y)) < 0.58 && (((x + y) % 0.6) + 0.6) % 0.6 < 0.32,
  (x, y) => Math.abs(x) < 0.6 && [-0.18, 0.36].some((at) => Math.abs(y - at - Math.abs(x) * 0.7 + 0.2) < 0.14),
  (x, y) => Math.hypot(x + 0.42, y + 0.42) < 1 && Math.hypot(x - 0.42, y - 0.42) < 1,
  (x, y) => [x, y].every((one) => Math.abs(one) > 0.07 && Math.abs(one) < 0.55),
  (x, y) => [-0.42, 0, 0.42].some((at, bar) => Math.abs(x - at) < 0.13 && y < 0.52 && y > 0.16 - bar * 0.32),
  (x, y) => Math.hypot(x, y) < 0.58 && (y < -0.06 || (y > 0.06 && x > 0)),
];

const isInSquare = (x: number, y: number): boolean => {
  const beyond = (one: number) => Math.max(0, Math.abs(one) - (1 - CORNER));
  return Math.hypot(beyond(x), beyond(y)) <= CORNER;
};

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** A PNG of 96 x 96 pixels: a simple mark in a colour, both chosen by the name. The same name gives the same logo. */
export function drawLogo(name: string): Buffer {
  const hash = createHash('sha256').update(name).digest();
  const colour = COLOURS[(hash[0] ?? 0) % COLOURS.length] ?? COLOURS[0];
  const isMarked = MARKS[(hash[1] ?? 0) % MARKS.length] ?? (() => false);
  const lines = Buffer.alloc(SIDE_PX * (1 + SIDE_PX * 4));
  const place = (pixel: number, sample: number) => ((pixel + (sample + 0.5) / SAMPLES) / SIDE_PX) * 2 - 1;
  for (let row = 0; row < SIDE_PX; row += 1) {
    for (let column = 0; column < SIDE_PX; column += 1) {
      let covered = 0;
      let marked = 0;
      for (let sample = 0; sample < SAMPLES * SAMPLES; sample += 1) {
        const x = place(column, sample % SAMPLES);
        const y = place(row, Math.floor(sample / SAMPLES));
        if (!isInSquare(x, y)) continue;
        covered += 1;
        if (isMarked(x, y)) marked += 1;
      }
      const share = covered === 0 ? 0 : marked / covered;
      const pixel = [...colour.map((part) => Math.round(part + (255 - part) * share)), (covered * 255) / SAMPLES ** 2];
      lines.set(pixel, row * (1 + SIDE_PX * 4) + 1 + column * 4);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIDE_PX, 0);
  header.writeUInt32BE(SIDE_PX, 4);
  // Eight bits per channel; red, green, blue and alpha.
  header.set([8, 6], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
