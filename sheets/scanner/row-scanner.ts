// AssemblyScript (TypeScript's syntax, WebAssembly's types), compiled to ../src/sheets/row-scanner.wasm by build.mjs. Scans the rows of a worksheet in the forms
// that Excel and its kin write, and stops with a reason at everything else; TypeScript reads that and lets it go on.
// It allocates nothing: where the XML lies and where the cells go is said by `configure` and `openBatch`.

// Why a scan stopped; named alike in ../src/sheets/row-scanner.ts.
const MORE: i32 = 0;
const MARKUP: i32 = 1;
const CELL: i32 = 2;
const FULL: i32 = 3;
const UNDECIDED_ROW: i32 = 4;
const BAD_ROW: i32 = 5;
const BAD_COLUMN: i32 = 6;
const BAD_SHARED_STRING: i32 = 7;
const LATE_ROW: i32 = 8;
const TEXT_CELL: i32 = 9;

const MAX_ROWS: i32 = 1_048_576;
const MAX_COLUMNS: i32 = 16_384;

const TEXT: u8 = 2;
const BOOLEAN: u8 = 3;

// Markup as little-endian integers: one comparison instead of eight.
const ROW_START: u64 = 0x223d7220776f723c; // <row r="
const CELL_START: u64 = 0x0000223d7220633c; // <c r="
const ROW_END: u64 = 0x00003e776f722f3c; // </row>
const SIX_BYTES: u64 = 0x0000ffffffffffff;
const STYLE: u32 = 0x223d7320; // _s="
const TYPE: u32 = 0x223d7420; // _t="
const VALUE_START: u32 = 0x3e763c3e; // ><v>
const EMPTY_END: u32 = 0x3e2f; // />
const FORMULA_START: u32 = 0x663c3e; // ><f
const BARE_VALUE_START: u32 = 0x3e763c; // <v>
const FORMULA_END: u32 = 0x3e662f3c; // </f>
const VALUE_END: u64 = 0x3e632f3c3e762f3c; // </v></c>

const STRING_TYPE: u32 = 0x22727473; // str"
// inlineStr"><is><t>, the last tag perhaps with xml:space="preserve"
const INLINE_TYPE: u64 = 0x7453656e696c6e69;
const INLINE_ITEM: u64 = 0x3c3e73693c3e2272;
const TEXT_START: u32 = 0x3e74;
const KEPT_SPACE: u64 = 0x70733a6c6d782074;
const KEPT_SPACE_2: u64 = 0x657270223d656361;
const KEPT_SPACE_3: u64 = 0x3e226576726573;
const SEVEN_BYTES: u64 = 0x00ffffffffffffff;
const TEXT_END: u64 = 0x73692f3c3e742f3c; // </t></is
const INLINE_END: u64 = 0x3e632f3c3e; // ></c>
const FIVE_BYTES: u64 = 0x000000ffffffffff;

const QUOTE: u32 = 34;
const AMPERSAND: u32 = 38;
const APOSTROPHE: u32 = 39;
const SLASH: u32 = 47;
const LESS: u32 = 60;
const EQUALS: u32 = 61;
const GREATER: u32 = 62;
const BRACKET: u32 = 93;
const UNDERSCORE: u32 = 95;

/** Instead of a number (which has no sign here) whose last bit cannot be proved. */
const UNPROVED: f64 = -1;
/** Veltkamp's splitter for a 53-bit mantissa. */
const SPLITTER: f64 = 134217729;
/** Integers up to this one are doubles. */
const EXACT_INTEGERS: u64 = 1 << 53;
/** Digits that fit a signed 64-bit integer whatever they are. */
const MAX_DIGITS: i32 = 18;
/** The largest power of ten that is a double. */
const MAX_FRACTION: i32 = 22;

// Tables, written by `configure`'s caller.
let tagOfStyle: usize = 0;
let styleCount: i32 = 0;
let baseOfColumn: usize = 0;
/** A table like it that knows no column: for rows up to the header, of which nothing is kept. */
let noBases: usize = 0;
/** Room for `MAX_COLUMNS` columns. */
let textColumns: usize = 0;
/** Whether some shared string shows nothing. */
let hasBlankShared: bool = false;
let doublePowers: usize = 0;
let integerPowers: usize = 0;

// The batch.
let values: usize = 0;
let tags: usize = 0;
let rowNumbers: usize = 0;
let sharedCount: i32 = 0;
let headerRow: i32 = 0;

/** Rows after which a scan stops as full. */
export let rowLimit: i32 = 0;
/** Rows kept in the batch. */
export let rowCount: i32 = 0;
/** Where the scan stopped. */
export let position: usize = 0;
/** The row being read, and the row read last. */
export let rowNumber: i32 = 0;
export let lastRow: i32 = 0;
/** Column of the cell before, 0 at the start of a row. */
export let column: i32 = 0;
export let hasSolid: bool = false;
export let hasText: bool = false;
export let highestColumn: i32 = 0;
export let highestRow: i32 = 0;
/** The highest row number in the batches before this one. */
export let settledRow: i32 = 0;
export let isUnordered: bool = false;
/** Columns of the row that hold a text, in `textColumns`; beyond `MAX_COLUMNS` they are only counted. */
export let textCount: i32 = 0;
/** Cells of the row that hold something in columns that are not kept, the first and last of these, and formulas without a result. */
export let outerCells: i32 = 0;
export let firstOuter: i32 = 0;
export let lastOuter: i32 = 0;
export let openFormulas: i32 = 0;
/** The same of all rows below the header that have ended. */
export let allOuterCells: i32 = 0;
export let firstOfAllOuter: i32 = 0;
export let lastOfAllOuter: i32 = 0;
export let allOpenFormulas: i32 = 0;
/** The text of a cell that carries its own. */
export let textStart: usize = 0;
export let textEnd: usize = 0;

/** Where that row begins. */
export let rowStart: usize = 0;

export function configure(
  tagsOfStyles: usize,
  styles: i32,
  basesOfColumns: usize,
  basesOfNone: usize,
  columnsOfTexts: usize,
  powersOfTen: usize,
  integerPowersOfTen: usize,
  shared: i32,
  isSharedBlank: bool,
  header: i32,
): void {
  tagOfStyle = tagsOfStyles;
  styleCount = styles;
  baseOfColumn = basesOfColumns;
  noBases = basesOfNone;
  textColumns = columnsOfTexts;
  doublePowers = powersOfTen;
  integerPowers = integerPowersOfTen;
  sharedCount = shared;
  hasBlankShared = isSharedBlank;
  headerRow = header;
}

/** Starts a batch in cleared columns. */
export function openBatch(valuesAt: usize, tagsAt: usize, rowNumbersAt: usize, capacity: i32): void {
  values = valuesAt;
  tags = tagsAt;
  rowNumbers = rowNumbersAt;
  rowLimit = capacity;
  rowCount = 0;
  settledRow = highestRow;
  isUnordered = false;
}

/** Starts a row that TypeScript read the opening tag of; it stands at `start`. */
export function openRow(start: usize, number: i32): void {
  rowStart = start;
  rowNumber = number;
  column = 0;
  hasSolid = false;
  hasText = false;
  clearCounts();
}

/** Ends the row: notes how far it reached, and what it holds that is not kept. */
export function closeRow(): void {
  lastRow = rowNumber;
  if (column > highestColumn) {
    highestColumn = column;
  }
  if (rowNumber > headerRow) {
    addCounts();
  }
}

function clearCounts(): void {
  textCount = 0;
  outerCells = 0;
  openFormulas = 0;
}

function addCounts(): void {
  allOpenFormulas += openFormulas;
  if (outerCells > 0) {
    if (allOuterCells === 0 || firstOuter < firstOfAllOuter) {
      firstOfAllOuter = firstOuter;
    }
    if (lastOuter > lastOfAllOuter) {
      lastOfAllOuter = lastOuter;
    }
    allOuterCells += outerCells;
  }
  outerCells = 0;
  openFormulas = 0;
}

/** Counts a cell that holds something in a column that is not kept. */
export function countOuter(here: i32): void {
  if (outerCells === 0 || here < firstOuter) {
    firstOuter = here;
  }
  if (outerCells === 0 || here > lastOuter) {
    lastOuter = here;
  }
  outerCells += 1;
}

/** Notes that the row holds a text in a column. */
export function noteText(here: i32): void {
  if (textCount < MAX_COLUMNS) {
    store<i32>(textColumns + ((<usize>textCount) << 2), here);
  }
  textCount += 1;
}

/**
 * Keeps the row that was read.
 * @returns whether it may come: false where its number is not above all of the batches before.
 */
export function keepRow(): bool {
  if (rowNumber <= highestRow) {
    if (rowNumber <= settledRow) {
      return false;
    }
    isUnordered = true;
  } else {
    highestRow = rowNumber;
  }
  store<i32>(rowNumbers + ((<usize>rowCount) << 2), rowNumber);
  rowCount += 1;
  return true;
}

/** How many of the eight bytes (each XOR '0') are digits before the first that is none. */
function countDigits(bytes: u64): u64 {
  return ctz(((bytes + 0x7676767676767676) | bytes) & 0x8080808080808080) >> 3;
}

/** The number that the first `count` of eight digits (each 0 to 9, the first in the lowest byte) stand for. */
function joinDigits(bytes: u64, count: u64): u64 {
  // Twice half the shift: shifting by all 64 bits would shift by none.
  const half = (8 - count) << 2;
  let joined = (bytes << half) << half;
  joined = joined * 10 + (joined >> 8);
  return (
    ((joined & 0x000000ff000000ff) * 0x000f424000000064 + ((joined >> 16) & 0x000000ff000000ff) * 0x0000271000000001) >>
    32
  );
}

/**
 * digits / 10^fraction, rounded once as IEEE 754 asks, or `UNPROVED`. The quotient is formed in double-double arithmetic
 * (about 106 bits) and taken only where the remainder lies provably off the midpoint between two doubles.
 */
function divideDigits(digits: u64, fraction: i32): f64 {
  const high = <f64>digits;
  if (fraction === 0) {
    return high;
  }
  const low = <f64>(<i64>digits - <i64>high);
  const divisor = load<f64>(doublePowers + ((<usize>fraction) << 3));
  const quotient = high / divisor;
  // quotient * divisor as an exact sum of two doubles (Dekker's product)
  const product = quotient * divisor;
  let spread = SPLITTER * quotient;
  const quotientHigh = spread - (spread - quotient);
  const quotientLow = quotient - quotientHigh;
  spread = SPLITTER * divisor;
  const divisorHigh = spread - (spread - divisor);
  const divisorLow = divisor - divisorHigh;
  const productError =
    quotientHigh * divisorHigh -
    product +
    quotientHigh * divisorLow +
    quotientLow * divisorHigh +
    quotientLow * divisorLow;
  const remainder = high - product - productError + low;
  const correction = remainder / divisor;
  const result = quotient + correction;
  const leftOver = correction - (result - quotient);
  // A slightly larger left-over that still rounds to the same double proves the rounding.
  return result + leftOver * 1.000000001 === result ? result : UNPROVED;
}

/** From the value of the type attribute to the text of an inline string; 0 where it is none. */
function inlineText(start: usize): usize {
  if (load<u64>(start) !== INLINE_TYPE || load<u64>(start + 8) !== INLINE_ITEM) {
    return 0;
  }
  const at = start + 16;
  if (<u32>load<u16>(at) === TEXT_START) {
    return at + 2;
  }
  return load<u64>(at) === KEPT_SPACE &&
    load<u64>(at + 8) === KEPT_SPACE_2 &&
    (load<u64>(at + 16) & SEVEN_BYTES) === KEPT_SPACE_3
    ? at + 23
    : 0;
}

/** Notes where a text ends that means what it says: ASCII without entities, escapes and line ends. */
function findText(start: usize, limit: usize): bool {
  textStart = start;
  for (let at = start; at < limit; at += 1) {
    const byte: u32 = load<u8>(at);
    if (byte === LESS) {
      textEnd = at;
      return true;
    }
    if (byte < 32 || byte > 126 || byte === AMPERSAND || byte === BRACKET) {
      return false;
    }
    if (byte === UNDERSCORE && load<u8>(at + 1) === 120) {
      return false;
    }
  }
  return false;
}

/** From the `>` before `<f` to behind the formula; 0 where its form needs the careful reader. */
function skipFormula(start: usize, limit: usize): usize {
  let at = start + 3;
  let byte: u32 = 0;
  for (; at < limit; at += 1) {
    byte = load<u8>(at);
    if (byte === GREATER) {
      break;
    }
    if (byte === QUOTE || byte === APOSTROPHE) {
      at += 1;
      while (at < limit && load<u8>(at) !== byte) {
        at += 1;
      }
    }
  }
  if (at >= limit) {
    return 0;
  }
  if (load<u8>(at - 1) === SLASH) {
    return at + 1;
  }
  at += 1;
  while (at < limit && load<u8>(at) !== LESS) {
    at += 1;
  }
  return at < limit && load<u32>(at) === FORMULA_END ? at + 4 : 0;
}

/**
 * Scans rows from `start`, or on within the row opened last. A row that does not end before `limit` is left alone:
 * `position` is its start. A few bytes past the limit are looked at.
 */
export function scan(start: usize, limit: usize, isWithinRow: bool): i32 {
  let q = start;
  let within = isWithinRow;
  const plainTag: u8 = styleCount > 0 ? load<u8>(tagOfStyle) : 1;
  while (true) {
    if (!within) {
      position = q;
      if (q >= limit) {
        return MORE;
      }
      if (rowCount >= rowLimit) {
        return FULL;
      }
      if (load<u64>(q) !== ROW_START) {
        return MARKUP;
      }
      rowStart = q;
      const digits = load<u64>(q + 8) ^ 0x3030303030303030;
      const count = countDigits(digits);
      q += 8 + <usize>count;
      if (load<u8>(q) !== QUOTE) {
        return MARKUP;
      }
      rowNumber = <i32>joinDigits(digits, count);
      q += 1;
      let byte: u32 = load<u8>(q);
      while (byte !== GREATER) {
        if (byte === QUOTE || byte === APOSTROPHE) {
          q += 1;
          while (q < limit && load<u8>(q) !== byte) {
            q += 1;
          }
          byte = load<u8>(q + 1);
          if (q < limit && byte > 32 && byte !== GREATER && byte !== SLASH) {
            return MARKUP;
          }
        } else if (byte === LESS) {
          return MARKUP;
        } else if (byte === EQUALS) {
          byte = load<u8>(q + 1);
          if (byte !== QUOTE && byte !== APOSTROPHE) {
            return MARKUP;
          }
        }
        q += 1;
        if (q >= limit) {
          return MORE;
        }
        byte = load<u8>(q);
      }
      column = 0;
      hasSolid = false;
      hasText = false;
      clearCounts();
      if (rowNumber < 1 || rowNumber > MAX_ROWS) {
        return BAD_ROW;
      }
      q += 1;
      if (load<u8>(q - 2) === SLASH) {
        lastRow = rowNumber;
        continue;
      }
    }
    within = false;
    const rowDigits: usize =
      rowNumber < 1000
        ? rowNumber < 10
          ? 1
          : rowNumber < 100
            ? 2
            : 3
        : rowNumber < 10_000
          ? 4
          : rowNumber < 100_000
            ? 5
            : rowNumber < 1_000_000
              ? 6
              : 7;
    // the row's number as every reference in it ends, and which bytes of a word that is
    let rowText: u64 = 0;
    for (let rest = rowNumber; rest > 0; rest /= 10) {
      rowText = (rowText << 8) | <u64>(48 + (rest % 10));
    }
    const rowMask: u64 = ((<u64>1) << ((<u64>rowDigits) << 3)) - 1;
    const valuesOfRow = values + ((<usize>rowCount) << 3);
    const tagsOfRow = tags + <usize>rowCount;
    const isKept = rowNumber > headerRow;
    const bases = isKept ? baseOfColumn : noBases;
    let place: i32 = column;
    let solid: bool = hasSolid;
    let text: bool = hasText;
    // <c r="AB12" s="3" t="s"><v>45</v></c>
    for (;;) {
      if (q >= limit) {
        position = rowStart;
        return MORE;
      }
      const opening = load<u64>(q) & SIX_BYTES;
      if (opening !== CELL_START) {
        if (opening === ROW_END) {
          q += 6;
          break;
        }
        return stopAtCell(q, place, solid, text);
      }
      let here: i32 = <i32>load<u8>(q + 6) - 64;
      if (<u32>(here - 1) > 25) {
        return stopAtCell(q, place, solid, text);
      }
      let p = q + 7;
      let byte: u32 = load<u8>(p);
      if (byte - 65 <= 25) {
        here = here * 26 + <i32>byte - 64;
        p += 1;
        byte = load<u8>(p);
        if (byte - 65 <= 25) {
          here = here * 26 + <i32>byte - 64;
          p += 1;
          if (here > MAX_COLUMNS) {
            return BAD_COLUMN;
          }
        }
      }
      if (((load<u64>(p) ^ rowText) & rowMask) !== 0) {
        return stopAtCell(q, place, solid, text);
      }
      p += rowDigits;
      if (load<u8>(p) !== QUOTE) {
        return stopAtCell(q, place, solid, text);
      }
      p += 1;
      let word = load<u32>(p);
      let tag: u8 = plainTag;
      if (word === STYLE) {
        let style: i32 = <i32>load<u8>(p + 4) - 48;
        p += 5;
        byte = load<u8>(p);
        while (byte - 48 <= 9 && style < 100_000) {
          style = style * 10 + <i32>byte - 48;
          p += 1;
          byte = load<u8>(p);
        }
        if (byte !== QUOTE || <u32>style >= <u32>styleCount) {
          return stopAtCell(q, place, solid, text);
        }
        tag = load<u8>(tagOfStyle + <usize>style);
        p += 1;
        word = load<u32>(p);
      }
      let type: u32 = 0;
      if (word === TYPE) {
        type = load<u8>(p + 4);
        if (load<u8>(p + 5) === QUOTE) {
          p += 6;
        } else if (load<u32>(p + 4) === STRING_TYPE) {
          type = QUOTE;
          p += 8;
        } else {
          p = inlineText(p + 4);
          if (p === 0 || !findText(p, limit)) {
            return stopAtCell(q, place, solid, text);
          }
          if (load<u64>(textEnd) !== TEXT_END || (load<u64>(textEnd + 8) & FIVE_BYTES) !== INLINE_END) {
            return stopAtCell(q, place, solid, text);
          }
          stopAtCell(textEnd + 13, here, solid, text);
          return TEXT_CELL;
        }
        word = load<u32>(p);
      }
      if (word === VALUE_START) {
        p += 4;
      } else if ((word & 0xffff) === EMPTY_END) {
        // a styled cell with nothing in it
        place = here;
        q = p + 2;
        continue;
      } else if ((word & 0xffffff) === FORMULA_START) {
        p = skipFormula(p, limit);
        if (p === 0 || (load<u32>(p) & 0xffffff) !== BARE_VALUE_START) {
          return stopAtCell(q, place, solid, text);
        }
        p += 3;
      } else {
        return stopAtCell(q, place, solid, text);
      }
      if (type === QUOTE) {
        // a text, as formulas give it
        if (!findText(p, limit) || load<u64>(textEnd) !== VALUE_END) {
          return stopAtCell(q, place, solid, text);
        }
        stopAtCell(textEnd + 8, here, solid, text);
        return TEXT_CELL;
      }
      let digits = load<u64>(p) ^ 0x3030303030303030;
      let count = countDigits(digits);
      if (type === 115) {
        // a shared string
        p += <usize>count;
        if (count === 0 || load<u64>(p) !== VALUE_END) {
          return stopAtCell(q, place, solid, text);
        }
        const index = <i32>joinDigits(digits, count);
        if (index >= sharedCount) {
          column = here;
          return BAD_SHARED_STRING;
        }
        const base = load<i32>(bases + ((<usize>here) << 2));
        if (base >= 0) {
          store<f64>(valuesOfRow + ((<usize>base) << 3), <f64>index);
          store<u8>(tagsOfRow + <usize>base, TEXT);
          noteText(here);
          text = true;
        } else if (isKept) {
          if (hasBlankShared) {
            return stopAtCell(q, place, solid, text);
          }
          countOuter(here);
        }
        place = here;
        q = p + 8;
        continue;
      }
      let value: f64;
      if (type === 0 || type === 110) {
        // a number
        byte = load<u8>(p);
        const isNegative = byte === 45;
        if (isNegative) {
          p += 1;
          digits = load<u64>(p) ^ 0x3030303030303030;
          count = countDigits(digits);
        }
        if (count === 0) {
          return stopAtCell(q, place, solid, text);
        }
        let mantissa = joinDigits(digits, count);
        let digitCount = <i32>count;
        p += <usize>count;
        while (count === 8 && digitCount <= 16) {
          digits = load<u64>(p) ^ 0x3030303030303030;
          count = countDigits(digits);
          mantissa = mantissa * load<u64>(integerPowers + ((<usize>count) << 3)) + joinDigits(digits, count);
          digitCount += <i32>count;
          p += <usize>count;
        }
        let fraction: i32 = 0;
        byte = load<u8>(p);
        if (byte === 46) {
          p += 1;
          // leading zeros of a fraction are no digits of the number
          if (mantissa === 0) {
            digitCount = 0;
          }
          do {
            digits = load<u64>(p) ^ 0x3030303030303030;
            count = countDigits(digits);
            mantissa = mantissa * load<u64>(integerPowers + ((<usize>count) << 3)) + joinDigits(digits, count);
            fraction += <i32>count;
            p += <usize>count;
          } while (count === 8 && digitCount + fraction <= 16);
          digitCount += fraction;
          byte = load<u8>(p);
        }
        if (digitCount > MAX_DIGITS) {
          return stopAtCell(q, place, solid, text);
        }
        if ((byte | 32) === 101) {
          // 1.2345E-2, as Excel writes small numbers
          const exponent: u32 = load<u8>(p + 2);
          if (load<u8>(p + 1) !== 45 || exponent - 48 > 9) {
            return stopAtCell(q, place, solid, text);
          }
          fraction += <i32>exponent - 48;
          p += 3;
        }
        if (fraction > MAX_FRACTION || load<u64>(p) !== VALUE_END) {
          return stopAtCell(q, place, solid, text);
        }
        value =
          mantissa <= EXACT_INTEGERS
            ? <f64>(<i64>mantissa) / load<f64>(doublePowers + ((<usize>fraction) << 3))
            : divideDigits(mantissa, fraction);
        if (value === UNPROVED) {
          return stopAtCell(q, place, solid, text);
        }
        if (isNegative) {
          value = -value;
        }
      } else if (type === 98 && load<u64>(p + 1) === VALUE_END && (digits & 0xff) <= 1) {
        value = <f64>(digits & 0xff);
        tag = BOOLEAN;
        p += 1;
      } else {
        return stopAtCell(q, place, solid, text);
      }
      const base = load<i32>(bases + ((<usize>here) << 2));
      if (base >= 0) {
        store<f64>(valuesOfRow + ((<usize>base) << 3), value);
        store<u8>(tagsOfRow + <usize>base, tag);
        solid = true;
      } else if (isKept) {
        countOuter(here);
      }
      place = here;
      q = p + 8;
    }
    lastRow = rowNumber;
    if (place > highestColumn) {
      highestColumn = place;
    }
    if ((outerCells | openFormulas) !== 0 && isKept) {
      addCounts();
    }
    if (solid) {
      if (!keepRow()) {
        return LATE_ROW;
      }
    } else if (text) {
      position = q;
      hasSolid = solid;
      hasText = text;
      return UNDECIDED_ROW;
    }
  }
}

/** Leaves the cell at `at` to the careful reader: the state of the row so far. */
function stopAtCell(at: usize, place: i32, solid: bool, text: bool): i32 {
  position = at;
  column = place;
  hasSolid = solid;
  hasText = text;
  return CELL;
}
