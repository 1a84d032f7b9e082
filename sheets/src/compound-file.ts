import type { ByteSource } from './byte-source.ts';
import { refuseDamaged } from './limits.ts';

/** First bytes of an OLE2 compound file: a legacy .xls, or the container of an encrypted workbook. */
export const COMPOUND_START = Buffer.from('d0cf11e0a1b11ae1', 'hex');

const HEADER_BYTES = 512;
const ENTRY_BYTES = 128;
/** Sector numbers from this one on are special values. */
const NO_SECTOR = 0xfffffffa;
/** Maximum directory entries to examine: the container of a workbook has about ten. */
const MAX_ENTRIES = 10_000;

interface Entry {
  readonly name: string;
  readonly start: number;
  readonly size: number;
}

/**
 * The streams of a compound file. Sizes and chains are checked against the file's own size before anything is read.
 * @throws SheetError if the file contradicts itself
 */
export class CompoundFile {
  private readonly file: ByteSource;
  private readonly sectorBytes: number;
  private readonly miniBytes: number;
  private readonly miniCutoff: number;
  private readonly fat: Uint32Array;
  private readonly miniFat: Uint32Array;
  private readonly entries: readonly Entry[];
  /** The sectors of the streams below the cutoff. */
  private readonly miniSectors: Uint32Array;

  private constructor(parts: Pick<CompoundFile, never> & Parts) {
    this.file = parts.file;
    this.sectorBytes = parts.sectorBytes;
    this.miniBytes = parts.miniBytes;
    this.miniCutoff = parts.miniCutoff;
    this.fat = parts.fat;
    this.miniFat = parts.miniFat;
    this.entries = parts.entries;
    this.miniSectors = parts.miniSectors;
  }

  static async open(file: ByteSource): Promise<CompoundFile> {
    const header = await file.read(0, HEADER_BYTES);
    if (header.length < HEADER_BYTES) {
      throw damaged();
    }
    const [shift, miniShift] = [header.readUInt16LE(30), header.readUInt16LE(32)];
    if ((shift !== 9 && shift !== 12) || miniShift !== 6) {
      throw damaged();
    }
    const sectorBytes = 1 << shift;
    const sectors = Math.ceil(file.size / sectorBytes);
    const read = async (sector: number): Promise<Buffer> => {
      const bytes = sector < sectors ? await file.read((sector + 1) * sectorBytes, sectorBytes) : Buffer.alloc(0);
      return bytes.length === sectorBytes
        ? bytes
        : Buffer.concat([bytes, Buffer.alloc(sectorBytes - bytes.length, 0xff)]);
    };
    const numbersOf = async (indexes: Iterable<number>, most: number): Promise<Uint32Array> => {
      const perSector = sectorBytes / 4;
      const list = [...indexes];
      if (list.length * perSector > most + perSector) {
        throw damaged();
      }
      const numbers = new Uint32Array(list.length * perSector);
      for (const [at, sector] of list.entries()) {
        const bytes = await read(sector);
        for (let index = 0; index < perSector; index += 1) {
          numbers[at * perSector + index] = bytes.readUInt32LE(index * 4);
        }
      }
      return numbers;
    };
    const fat = await numbersOf(await fatSectors(header, sectors, sectorBytes, read), 2 * sectors + sectorBytes);
    const chain = (start: number): Uint32Array => chainOf(fat, start, sectors);
    const miniFat = await numbersOf(chain(header.readUInt32LE(60)), (file.size >> miniShift) + sectorBytes);
    const directory = chain(header.readUInt32LE(48));
    const entries: Entry[] = [];
    let root: Entry | undefined;
    for (const sector of directory.subarray(0, (MAX_ENTRIES * ENTRY_BYTES) / sectorBytes)) {
      const bytes = await read(sector);
      for (let at = 0; at < sectorBytes; at += ENTRY_BYTES) {
        const nameBytes = bytes.readUInt16LE(at + 64);
        const kind = bytes[at + 66];
        const entry = {
          name: bytes.toString('utf16le', at, at + Math.max(0, Math.min(62, nameBytes - 2))),
          start: bytes.readUInt32LE(at + 116),
          // the upper half is unreliable if sectors are small
          size: bytes.readUInt32LE(at + 120) + (shift === 12 ? bytes.readUInt32LE(at + 124) * 2 ** 32 : 0),
        };
        if (kind === 5) {
          root = entry;
        } else if (kind === 2) {
          entries.push(entry);
        }
      }
    }
    const miniSectors = root === undefined ? new Uint32Array(0) : chain(root.start);
    const miniCutoff = header.readUInt32LE(56);
    return new CompoundFile({
      file,
      sectorBytes,
      miniBytes: 1 << miniShift,
      miniCutoff,
      fat,
      miniFat,
      entries,
      miniSectors,
    });
  }

  has(name: string): boolean {
    return this.entries.some((entry) => entry.name === name);
  }

  /** A stream by its name, wherever it is in the directory. */
  stream(name: string): Pick<ByteSource, 'size' | 'read'> {
    const entry = this.entries.find((candidate) => candidate.name === name);
    if (entry === undefined || entry.size > this.file.size) {
      throw damaged();
    }
    const { size } = entry;
    const isMini = size < this.miniCutoff;
    const unit = isMini ? this.miniBytes : this.sectorBytes;
    const units = chainOf(isMini ? this.miniFat : this.fat, entry.start, Math.ceil(size / unit));
    if (units.length * unit < size) {
      throw damaged();
    }
    const placeOf = (at: number): number => {
      const inUnits = units[Math.floor(at / unit)]!;
      if (!isMini) {
        return (inUnits + 1) * unit + (at % unit);
      }
      const inMini = inUnits * unit + (at % unit);
      const sector = this.miniSectors[Math.floor(inMini / this.sectorBytes)];
      if (sector === undefined) {
        throw damaged();
      }
      return (sector + 1) * this.sectorBytes + (inMini % this.sectorBytes);
    };
    return {
      size,
      read: async (position, length) => {
        const end = Math.min(size, position + length);
        const pieces: Buffer[] = [];
        for (let at = position; at < end; ) {
          const start = placeOf(at);
          let run = Math.min(end - at, unit - (at % unit));
          // Consecutive sectors are read at once.
          while (at + run < end && placeOf(at + run) === start + run) {
            run += Math.min(end - at - run, unit);
          }
          const piece = await this.file.read(start, run);
          if (piece.length < run) {
            throw damaged();
          }
          pieces.push(piece);
          at += run;
        }
        return Buffer.concat(pieces);
      },
    };
  }
}

interface Parts {
  readonly file: ByteSource;
  readonly sectorBytes: number;
  readonly miniBytes: number;
  readonly miniCutoff: number;
  readonly fat: Uint32Array;
  readonly miniFat: Uint32Array;
  readonly entries: readonly Entry[];
  readonly miniSectors: Uint32Array;
}

const damaged = (): Error => refuseDamaged('its OLE2 container contradicts itself');

/** The sectors of the allocation table: the first 109 are listed in the header, others in a separate chain. */
async function fatSectors(
  header: Buffer,
  sectors: number,
  sectorBytes: number,
  read: (sector: number) => Promise<Buffer>,
): Promise<number[]> {
  const indexes: number[] = [];
  const take = (bytes: Buffer, start: number, end: number): void => {
    for (let at = start; at < end; at += 4) {
      const sector = bytes.readUInt32LE(at);
      if (sector < NO_SECTOR) {
        indexes.push(sector);
      }
    }
  };
  take(header, 76, HEADER_BYTES);
  let next = header.readUInt32LE(68);
  for (let seen = 0; next < NO_SECTOR; seen += 1) {
    if (seen > sectors / (sectorBytes / 4) + 1) {
      throw damaged();
    }
    const bytes = await read(next);
    take(bytes, 0, sectorBytes - 4);
    next = bytes.readUInt32LE(sectorBytes - 4);
  }
  return indexes;
}

/** The sectors of a chain, at most `most` of them, because a chain may contain a cycle. */
function chainOf(table: Uint32Array, start: number, most: number): Uint32Array {
  const chain: number[] = [];
  for (let sector = start; sector < NO_SECTOR && chain.length < most; sector = table[sector] ?? NO_SECTOR) {
    chain.push(sector);
  }
  return Uint32Array.from(chain);
}
