import { Markup, MarkupReader } from '@tapeline/sheets/markup.ts';
import { SheetError } from '@tapeline/sheets/sheet-error.ts';
import { MAX_STATEMENT_TEXT } from '../statement-limits.ts';
import { quoted, refuseStatement } from './refuse-statement.ts';
import { ASK_THE_BANK } from './statement-figures.ts';
import { decodeXml } from './statement-text.ts';

/** An element with what a statement needs of it. Comments and instructions are left out. */
export interface XmlElement {
  /** Without prefix. */
  readonly name: string;
  /** The namespace that the element itself declares for its own name. */
  readonly namespace: string | null;
  /** The attribute `Ccy` of an amount. */
  readonly currency: string | null;
  /** The text directly inside. */
  text: string;
  readonly children: XmlElement[];
}

/** No message comes near this depth. */
const MAX_DEPTH = 40;
/** An entry has about forty elements: this is more than the largest number of lines. */
const MAX_ELEMENTS = 2_000_000;

const invalid = (what: string) =>
  refuseStatement(
    'xml',
    `The file is not a valid XML file: ${what}. Download it from the bank again, and do not change it before you upload it.`,
  );

/**
 * The root of an XML file. Document types, entities of its own, and files too deep or too large to be a statement are
 * refused.
 */
export function readStatementXml(bytes: Uint8Array): XmlElement {
  const encoded = new TextEncoder().encode(decodeXml(bytes).replace(/^\uFEFF/, ''));
  try {
    return readTree(encoded);
  } catch (error) {
    // Its messages are about workbooks.
    if (error instanceof SheetError) throw invalid('it is damaged, or contains what no statement does');
    throw error;
  }
}

function readTree(bytes: Uint8Array): XmlElement {
  const reader = new MarkupReader().over(bytes, bytes.length);
  const open: XmlElement[] = [];
  let root: XmlElement | null = null;
  let elements = 0;
  let position = 0;
  for (;;) {
    const next = reader.read(position);
    if (next === -1) break;
    position = next;
    const parent = open.at(-1);
    if (parent) parent.text = joined(parent, reader.content);
    else reader.refuseText();
    if (reader.kind === Markup.close) {
      if (reader.name !== parent?.name) throw invalid(`${quoted(`</${reader.name}>`)} closes nothing`);
      open.pop();
      continue;
    }
    if (reader.kind !== Markup.open && reader.kind !== Markup.empty) continue;
    elements += 1;
    if (elements > MAX_ELEMENTS || open.length >= MAX_DEPTH) throw invalid('it is too large or too deep');
    const element = elementOf(reader);
    if (parent) parent.children.push(element);
    else if (root) throw invalid('it has more than one root');
    else root = element;
    if (reader.kind === Markup.open) open.push(element);
  }
  const rest = bytes.subarray(position).some((byte) => byte > 32);
  if (!root || open.length > 0 || rest) throw invalid('it ends too early');
  return root;
}

function elementOf(reader: MarkupReader): XmlElement {
  const { bytes, textEnd, nameStart, name } = reader;
  const prefix = new TextDecoder().decode(bytes.subarray(textEnd + 1, Math.max(textEnd + 1, nameStart - 1)));
  return {
    name,
    namespace: reader.attribute(prefix === '' ? 'xmlns' : prefix) ?? null,
    currency: reader.attribute('Ccy') ?? null,
    text: '',
    children: [],
  };
}

function joined(element: XmlElement, text: string): string {
  if (element.text.length + text.length > MAX_STATEMENT_TEXT) throw invalid(`${quoted(element.name)} is too long`);
  return element.text + text;
}

/** The elements at a path of names: `all(entry, 'NtryDtls', 'TxDtls')`. */
export const all = (from: XmlElement, ...path: readonly string[]): XmlElement[] =>
  path.reduce<XmlElement[]>(
    (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
    [from],
  );

/** The first element at a path of names. */
export const elementAt = (from: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined =>
  from && all(from, ...path)[0];

/** The text of the first element at a path; null if it is missing or empty. */
export const textAt = (from: XmlElement | undefined, ...path: readonly string[]): string | null =>
  elementAt(from, ...path)?.text.trim() || null;

/** A boolean, which XML writes in two ways; null if it is missing. */
export function flagAt(from: XmlElement | undefined, ...path: readonly string[]): boolean | null {
  const written = textAt(from, ...path);
  if (written === null) return null;
  if (written === 'true' || written === '1') return true;
  if (written === 'false' || written === '0') return false;
  throw refuseStatement(
    'field',
    `${quoted(path.at(-1) ?? '')} is ${quoted(written)}, and neither true nor false. ${ASK_THE_BANK}`,
  );
}
