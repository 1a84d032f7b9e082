/** What the package offers to whoever installs it; README.md describes it. */
export { UnfamiliarParquet } from './column-pages.ts';
export {
  BLOCK_ROWS,
  type ColumnArray,
  type ColumnBlock,
  type ColumnToRead,
  readColumns,
  type TakeBlock,
  type ValueKind,
} from './column-values.ts';
export {
  type CodesToWrite,
  type DictionaryColumns,
  readDictionaryColumns,
  writeDictionaryCodes,
} from './dictionary-codes.ts';
export { joinParquet, ParquetJoin } from './join-parts.ts';
export { readTexts } from './read-texts.ts';
