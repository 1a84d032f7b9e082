import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { decode, encode } from 'fast-png';

export interface Logo {
  /** A JPEG, or a PNG without transparency. */
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

/** A logo is small. A larger one, or one with more pixels, would slow down every notice. */
const MAX_BYTES = 2 * 2 ** 20;
const MAX_PIXELS = 4_000_000;
const MAX_KEPT = 16;

/** Logos of documents printed recently, by the hash of their file: a call has hundreds of notices with one logo. */
const recent = new Map<string, Logo | null>();

/** Reads a PNG or JPEG file in base64. @returns null if it is neither, damaged, or too large */
export function readLogo(base64: string): Logo | null {
  const key = createHash('sha256').update(base64).digest('base64');
  let logo = recent.get(key);
  if (logo === undefined) {
    logo = base64.length > (MAX_BYTES * 4) / 3 ? null : readImage(Buffer.from(base64, 'base64'));
    if (recent.size >= MAX_KEPT) recent.clear();
    recent.set(key, logo);
  }
  return logo;
}

function readImage(bytes: Buffer): Logo | null {
  try {
    const logo = bytes.readUInt16BE(0) === 0xffd8 ? readJpeg(bytes) : readPng(bytes);
    return logo && logo.width > 0 && logo.height > 0 ? logo : null;
  } catch {
    // A damaged logo must not delay a notice, so the name is printed instead.
    return null;
  }
}

/** Finds the size in the frame header of a JPEG. */
function readJpeg(bytes: Buffer): Logo | null {
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
      return width * height <= MAX_PIXELS ? { bytes, width, height } : null;
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** Reads a PNG and puts it on white: the PDF library decodes transparent ones again for each document. */
function readPng(bytes: Buffer): Logo | null {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (width * height > MAX_PIXELS) return null;
  refuseOversizedData(bytes, width, height);
  const { data, channels, depth, palette, transparency } = decode(bytes);
  const pixels = new Uint8Array(width * height * 3);
  const most = 2 ** depth - 1;
  const perRow = depth < 8 ? Math.ceil((width * depth) / 8) : width;
  const sample = (x: number, y: number, channel: number): number => {
    if (depth >= 8) return data[(y * width + x) * channels + channel] ?? 0;
    const perByte = 8 / depth;
    const byte = data[y * perRow + Math.floor(x / perByte)] ?? 0;
    return (byte >> (8 - depth * ((x % perByte) + 1))) & most;
  };
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const colour = palette
        ? (palette[sample(x, y, 0)] ?? [])
        : [0, 1, 2].map((channel) => Math.round((sample(x, y, channels < 3 ? 0 : channel) * 255) / most));
      const isHidden =
        transparency !== undefined &&
        !palette &&
        Array.from(transparency).every((value, channel) => value === sample(x, y, channel));
      const opacity = isHidden
        ? 0
        : palette
          ? (colour[3] ?? 255) / 255
          : channels % 2 === 0
            ? sample(x, y, channels - 1) / most
            : 1;
      for (let channel = 0; channel < 3; channel += 1) {
        pixels[(y * width + x) * 3 + channel] = Math.round(255 - (255 - (colour[channel] ?? 0)) * opacity);
      }
    }
  }
  return { bytes: Buffer.from(encode({ width, height, data: pixels, channels: 3 })), width, height };
}

/** Throws if the compressed pixels are more than the size of the image needs. */
function refuseOversizedData(bytes: Buffer, width: number, height: number): void {
  const parts: Buffer[] = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(bytes.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  // At most four channels of 16 bits, and a filter byte in each row of each pass of an interlaced image.
  inflateSync(Buffer.concat(parts), { maxOutputLength: width * height * 8 + height * 8 + 64 });
}
