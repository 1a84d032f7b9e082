import type { RefusalCode } from '@tapeline/domain/errors/refusal.ts';
import type { ExportFormat, ExportTable } from './export-table.ts';

export interface ExportThreadData {
  readonly memoryLimit: string;
  readonly spillFolder: string;
  readonly spillLimit?: string;
}

/** Messages to the thread. Pieces are produced as they are taken, a few ahead. */
export type ExportCall =
  | {
      readonly kind: 'begin';
      readonly id: number;
      readonly table: ExportTable;
      readonly format: ExportFormat;
      readonly sheetName: string;
    }
  | { readonly kind: 'taken'; readonly id: number }
  | { readonly kind: 'stop'; readonly id: number }
  | { readonly kind: 'close' };

/** Messages from the thread; nothing follows `end` or `failed`. */
export type ExportAnswer =
  | { readonly kind: 'piece'; readonly id: number; readonly piece: Uint8Array }
  | { readonly kind: 'end'; readonly id: number }
  | {
      readonly kind: 'failed';
      readonly id: number;
      readonly message: string;
      readonly stack: string | undefined;
      /** Set if the caller can correct it. */
      readonly refusal: RefusalCode | undefined;
    };
