import type { RefusalCode } from '@tapeline/domain/errors/refusal.ts';
import type { ExportFormat, ExportTable } from './export-table.ts';

/** What the thread that makes exports is started with. */
export interface ExportThreadData {
  readonly memoryLimit: string;
  readonly spillFolder: string;
}

/** What is asked of it. Pieces are made as they are taken, a few ahead. */
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

/** What it answers; nothing comes after `end` and `failed`. */
export type ExportAnswer =
  | { readonly kind: 'piece'; readonly id: number; readonly piece: Uint8Array }
  | { readonly kind: 'end'; readonly id: number }
  | {
      readonly kind: 'failed';
      readonly id: number;
      readonly message: string;
      readonly stack: string | undefined;
      /** Set where the caller can mend it. */
      readonly refusal: RefusalCode | undefined;
    };
