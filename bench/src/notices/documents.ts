import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { purposeTotals } from '@tapeline/domain/capital/capital-call-notice.ts';
import { printCapitalCallNotice, printCapitalCallSummary } from '@tapeline/domain/capital/print/capital-call.ts';
import { sampleFund } from '@tapeline/domain/capital/testing/sample-notices.ts';
import type { PrintedDocument } from '@tapeline/domain/printing/printed-document.ts';
import { type Family, fontFile, type Weight } from '@tapeline/workers/printing/fonts.ts';
import { DATA_FOLDER } from '../tape-data/workbook.ts';

const FOLDER = join(DATA_FOLDER, 'notices');

/** The fonts of the documents, for the peer. The names in the benchmark need no other script. */
const FONTS: readonly (readonly [family: Family, weight: Weight])[] = [
  ['inter', 400],
  ['inter', 500],
  ['inter', 600],
  ['jetbrains-mono', 500],
];

/** A call of a fund: a notice for each investor, and the list of all of them. */
function documentsOf(investors: number): PrintedDocument[] {
  const { call, callShares } = sampleFund(investors);
  const shares = callShares.map((share, index) => ({
    ...share,
    investor: { ...share.investor, formalName: `Harbor & Sons Family Office ${index + 1} LP` },
  }));
  const totals = purposeTotals(shares);
  return [...shares.map((share) => printCapitalCallNotice(call, share, totals)), printCapitalCallSummary(call, shares)];
}

/** Writes the documents and the fonts to files, for both contenders. @returns their folder */
export async function writeDocuments(investors: number): Promise<string> {
  await mkdir(FOLDER, { recursive: true });
  for (const [family, weight] of FONTS) {
    await writeFile(join(FOLDER, `${family}-${weight}.ttf`), fontFile(family, 'latin', weight));
  }
  await writeFile(join(FOLDER, 'documents.json'), JSON.stringify(documentsOf(investors)));
  return FOLDER;
}
