import { Readable } from 'node:stream';
import { Fund } from '@tapeline/db/entities/funds.ts';
import { ImportDraft } from '@tapeline/db/entities/import-drafts.ts';
import { User } from '@tapeline/db/entities/people.ts';
import { newId } from '@tapeline/db/ids.ts';
import { fileStored, registerFile } from '@tapeline/db/operations/files/files.ts';
import { investorsOfFund } from '@tapeline/db/operations/importer/codes.ts';
import { type Store, systemActor } from '@tapeline/db/store.ts';
import type { Bucket } from '@tapeline/domain/files/buckets.ts';
import { IMPORT_COLUMNS } from '@tapeline/domain/importer/columns.ts';
import { type ImportDraft as DraftContent, emptyDraft } from '@tapeline/domain/importer/draft.ts';
import { matchFiles } from '@tapeline/domain/importer/match-files.ts';
import { type ObjectStore, objectKey } from '@tapeline/lake/storage/object-store.ts';
import { CREDIT_FUND, UPLOADER_EMAIL } from './names.ts';

const SEEDING = systemActor('Seeding');

const CLASS = 'HCF2-A';

/** A page with one line of text. */
const statementPdf = (line: string): Buffer => {
  const content = `BT /F1 14 Tf 60 770 Td (${line.replaceAll(/[^A-Za-z0-9 ,.-]/g, '')}) Tj ET`;
  return Buffer.from(`%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length ${content.length}>>stream
${content}
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
%%EOF
`);
};

/** NAVs of the next quarter, as an administrator sends them: two cells are wrong. */
function navFile(investors: readonly { cells: Readonly<Record<string, string>> }[]): {
  headers: string[];
  text: string;
} {
  const columns = IMPORT_COLUMNS.navs.filter(({ key }) => key !== 'keyValues.net');
  const headers = columns.map(({ label }) => label);
  const rows = investors.map(({ cells }, at) => {
    const net = 4_180_250 + at * 615_400;
    const values: Record<string, string> = {
      ...cells,
      currency: at === 1 ? 'US$' : 'USD',
      date: at === 3 ? '2026-09-31' : '2026-12-31',
      callName: 'Q4 2026',
      defaultValue: `${net}.00`,
      'keyValues.gross': `${net + 38_500}.00`,
    };
    return columns.map(({ key }) => values[key] ?? '').join(',');
  });
  return { headers, text: `${[headers.join(','), ...rows].join('\n')}\n` };
}

/**
 * Prepares two imports for the demonstration's manager, unless there are some: NAVs with problems to correct, and PDF
 * statements, of which one has no investor yet.
 */
export async function addDemonstrationImports(store: Store, objects: ObjectStore): Promise<void> {
  const found = await store.as(SEEDING, async (session) => {
    const user = await session.em.findOne(User, { email: UPLOADER_EMAIL });
    const fund = user?.managerId
      ? await session.em.findOne(Fund, { title: CREDIT_FUND, managerId: user.managerId })
      : null;
    if (!user?.managerId || !fund || (await session.em.count(ImportDraft, { userId: user.id })) > 0) return null;
    const investors = await investorsOfFund(session, { fundId: fund.id, classKey: CLASS });
    return { userId: user.id, managerId: user.managerId, fundId: fund.id, investors };
  });
  if (!found) return;
  const { userId, managerId, fundId, investors } = found;
  const keep = async (bucket: Bucket, name: string, type: string, bytes: Buffer): Promise<string> => {
    const { key } = await store.as(SEEDING, (session) =>
      registerFile(session, { bucket, name, type, size: bytes.length, managerId }),
    );
    const stored = await objects.putStream(objectKey(bucket, key), Readable.from([bytes]), { type });
    return (await store.as(SEEDING, (session) => fileStored(session, { bucket, key, ...stored }))).id;
  };
  const draft = (content: DraftContent) =>
    store.as(SEEDING, async (session) => {
      const { em, now } = session;
      const when = { createdAt: now, changedAt: now };
      em.create(ImportDraft, { id: newId(now), managerId, userId, content, importId: null, version: 1, ...when });
      await em.flush();
    });

  const { headers, text } = navFile(investors);
  const name = 'Administrator NAVs Q4 2026.csv';
  const bytes = Buffer.from(text);
  await draft({
    ...emptyDraft('navs', 'Draft'),
    sheet: {
      fileId: await keep('importerFiles', name, 'text/csv', bytes),
      name,
      bytes: bytes.length,
      sheetName: null,
      headerRow: null,
      headers,
    },
    mapping: Object.fromEntries(
      IMPORT_COLUMNS.navs.flatMap(({ key, label }) => {
        const index = headers.indexOf(label);
        return index < 0 ? [] : [[key, String.fromCharCode(65 + index)]];
      }),
    ),
  });

  const names = [...investors.slice(0, 3).map(({ title }) => `${title} 2026-09-30.pdf`), 'Statement 2026-09-30.pdf'];
  const matches = matchFiles(names, investors);
  const pdfs: DraftContent['pdfs'] = [];
  for (const [index, pdf] of names.entries()) {
    const id = await keep('capitalAccounts', pdf, 'application/pdf', statementPdf(pdf.replace('.pdf', '')));
    pdfs.push({ id, name: pdf, owner: matches[index]?.ownerId ?? null });
  }
  await draft({
    ...emptyDraft('capitalAccounts', 'Draft'),
    pdfOf: { fundId, classKey: CLASS, date: '2026-09-30' },
    pdfs,
  });
}
