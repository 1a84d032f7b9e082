import { IMPORT_COLUMNS } from '@tapeline/domain/importer/columns.ts';
import { type FileKind, IMPORT_KINDS, type ImportKind, isFileKind } from '@tapeline/domain/importer/kinds.ts';
import { paths } from '../app/paths.ts';
import type { Asked } from './asked.ts';
import type { MarkedDocuments } from './marked-documents.ts';
import { type FormFields, fieldsOf, type ScreenClient } from './screen-client.ts';

const FAR = '900000000000';
const FUTURE = '2149-01-01';
const PDF = '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n';

/** By the key of their column. */
type Cells = Readonly<Record<string, unknown>>;

/**
 * The cells of one row for each kind, which names the marked documents by their codes only: what is shown of them does not
 * come from the file.
 */
function rowsOf({ rowOf }: MarkedDocuments): Readonly<Record<Exclude<ImportKind, FileKind>, Cells>> {
  const fundCode = rowOf('funds').code;
  const ofFund = { investorType: 'LP', investorCode: rowOf('LPs').code, fundCode, currency: 'USD', callName: 'Far' };
  const ofDay = { ...ofFund, date: '2026-06-20' };
  return {
    funds: {
      code: fundCode,
      mainFund: rowOf('mainFunds').code,
      title: 'Another fund',
      strategy: 'ABL',
      type: 'ComingleFund',
      currency: 'USD',
      entityFormalId: '1',
      nationalityCountryCode: 'US',
    },
    contributions: { ...ofDay, defaultValue: FAR, 'keyValues.investments': FAR },
    distributions: { ...ofDay, defaultValue: FAR },
    LPs: { code: ofFund.investorCode, entityName: 'Another investor', formalId: '1', country: 'US' },
    LPCommitments: { ...ofDay, defaultValue: FAR },
    navs: { ...ofFund, date: FUTURE, defaultValue: '1' },
    users: { firstName: 'Ann', lastName: 'Berg', email: 'ann.berg@fjord.example', LPCode: ofFund.investorCode },
    feeTerms: { fundCode, date: FUTURE, 'management.committed': '2' },
    sideLetters: { ...ofFund, date: FUTURE, 'management.committed': '1' },
    closings: {
      ...ofDay,
      title: 'Far closing',
      dueDate: FUTURE,
      distributionName: 'Far',
      defaultValue: FAR,
    },
    transfers: { ...ofDay, toType: 'fund', toCode: fundCode, sharePercent: '1' },
  };
}

function sheetOf(kind: ImportKind, cells: Cells): string {
  const columns = IMPORT_COLUMNS[kind].filter(({ key }) => cells[key] !== undefined);
  return `${columns.map(({ label }) => label).join(',')}\n${columns.map(({ key }) => cells[key]).join(',')}\n`;
}

async function uploadedSheet({ api }: ScreenClient, content: string): Promise<string> {
  const filesInfo = [{ name: 'rows.csv', size: content.length, type: 'text/csv' }];
  const signed = await api.post('/files/signedUrls/importerFiles?operation=upload', { filesInfo });
  const { key, signedUrl } = signed.json[0].fileMetadata;
  await fetch(signedUrl, { method: 'PUT', headers: { 'content-type': 'text/csv' }, body: content });
  return key;
}

/** Opens the page that checks an upload, with what it found out about the rows or the files. */
async function checkedUpload(
  client: ScreenClient,
  kind: ImportKind,
  fields: Readonly<Record<string, string>>,
  file: File,
) {
  const form = new FormData();
  form.append('csrf', client.token);
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('upload', file);
  const uploaded = await client.send(paths.newImport(kind), form);
  const to = uploaded.headers.get('location');
  if (to === null) return uploaded;
  const page = await client.get(to);
  if (!to.endsWith('/columns')) return page;
  const mapped = await client.submit(to, { ...fieldsOf(page, 'version'), intent: 'map' });
  const check = mapped.headers.get('location');
  return check === null ? mapped : client.get(`${check.split('?')[0]}?show=all`);
}

const lastCheck = new WeakMap<ScreenClient, Promise<unknown>>();
/** A person has one check of an import at a time; another one is refused. */
const inTurn = ({ what, ask }: Asked): Asked => ({
  what,
  ask: (client) => {
    const answer = (lastCheck.get(client) ?? Promise.resolve()).then(() => ask(client));
    lastCheck.set(
      client,
      answer.catch(() => undefined),
    );
    return answer;
  },
});

/** The importer of each kind, as a dry run and as its pages, with rows and files that name the marked documents. */
export function allImports(marked: MarkedDocuments): Asked[] {
  const rows = rowsOf(marked);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const small = { date: tomorrow, defaultValue: '1' };
  const dryRun = (kind: ImportKind, cells: Cells, status?: 'Active'): Asked => ({
    what: `a dry run of ${kind}`,
    ask: async (client) => {
      const attachments = [{ key: await uploadedSheet(client, sheetOf(kind, cells)), name: 'rows.csv' }];
      return client.api.post('/files/importer/dryRun', { kind, attachments, status });
    },
  });
  const fileOf: Readonly<Record<FileKind, string>> = {
    capitalAccounts: `LP-${rows.LPs.code} 2026-06-20.pdf`,
    reports: `Fund-${rows.funds.code} 2026-06-20.pdf`,
  };
  const page = (kind: ImportKind): Asked => ({
    what: `the import page of ${kind}`,
    ask: (client) => {
      if (!isFileKind(kind)) {
        const sheet = new File([sheetOf(kind, rows[kind])], 'rows.csv', { type: 'text/csv' });
        return checkedUpload(client, kind, { intent: 'sheet' }, sheet);
      }
      const fields = {
        intent: 'pdfs',
        date: '2026-06-20',
        ...(kind === 'reports' ? {} : { fund: marked.idOf('funds') }),
      };
      return checkedUpload(client, kind, fields, new File([PDF], fileOf[kind], { type: 'application/pdf' }));
    },
  });
  // A dry run names the record that has a code, and the investors of whom nobody is told.
  return [
    dryRun('funds', rows.funds),
    dryRun('LPs', rows.LPs),
    dryRun('contributions', { ...rows.contributions, ...small, 'keyValues.investments': '1' }, 'Active'),
    dryRun('distributions', { ...rows.distributions, ...small }, 'Active'),
    ...IMPORT_KINDS.map(page),
  ].map(inTurn);
}

/** The steps of forms that say what would happen, or ask before it does. Nothing is confirmed. */
export function allReviews({ rowOf, idOf, pageIdOf, note }: MarkedDocuments): Asked[] {
  const submit = (what: string, path: string, fields: FormFields): Asked => ({
    what,
    ask: (client) => client.submit(path, fields),
  });
  const open = (path: string): Asked => ({ what: path, ask: (client) => client.get(path) });
  const fund = idOf('funds');
  const commitment = idOf('LPCommitments');
  const ofCall = (amount: string) => ({
    intent: 'review',
    fund,
    callNumber: 'R1',
    cutOffDate: '2026-06-20',
    dueDate: '2026-07-15',
    amount,
    'callPurposes[0].title': 'Investments',
    'callPurposes[0].kind': 'investments',
    'callPurposes[0].amount': amount,
  });
  const ofDistribution = (principal: string) => ({
    intent: 'review',
    fund,
    callNumber: 'R1',
    cutOffDate: '2026-06-20',
    distributionKind: 'Principal Only',
    principal,
  });
  const draw = (sum: string) => ({
    intent: 'check',
    note: note.id,
    cutOffDate: '2026-10-31',
    dueDate: '2026-11-05',
    'lines[0].type': 'Regular',
    'lines[0].sum': sum,
    'lines[0].currency': 'USD',
  });
  const rowOfForm = (collection: 'navs' | 'writeOffs') => ({
    intent: 'change',
    'rows[0].id': idOf(collection),
    'rows[0].version': String(rowOf(collection).version),
    'rows[0].cutOffDate': FUTURE,
    'rows[0].status': String(rowOf(collection).status),
  });
  const documents = (['capitalAccounts', 'reports'] as const).map(
    (collection) =>
      `${collection === 'reports' ? 'report' : 'statement'}.${idOf(collection)}.${rowOf(collection).version}`,
  );
  const ofDocuments = (intent: string): [string, string][] => [
    ['intent', intent],
    ...documents.map((document): [string, string] => ['documents', document]),
  ];
  const terms = {
    closingDate: '2024-01-31',
    maxCommitment: FAR,
    activeCommitment: FAR,
    status: 'Active',
    commitmentVersion: String(rowOf('LPCommitments').version),
  };
  return [
    ...(['1000', FAR] as const).flatMap((amount) => [
      submit(`the review of a call of ${amount}`, paths.newCapitalCall({ fund }), ofCall(amount)),
      submit(`the review of a distribution of ${amount}`, paths.newDistribution({ fund }), ofDistribution(amount)),
      submit(`the check of a draw of ${amount}`, paths.newDraw(), draw(amount)),
      submit(`the transfer of ${amount}`, paths.transferCommitment(fund, commitment), {
        intent: 'review',
        investingFund: idOf('mainFunds'),
        date: '2026-06-20',
        amount,
        commitmentVersion: terms.commitmentVersion,
      }),
    ]),
    submit('the notice of a call before it is issued', paths.previewCallNotice(), {
      ...ofCall('1000'),
      intent: 'new',
      commitment,
    }),
    submit('the notice of a distribution before it is issued', paths.previewDistributionNotice(), {
      ...ofDistribution('100'),
      intent: 'new',
      commitment,
    }),
    open(paths.newCapitalCall({ fund, feeFrom: '2026-04-01', feeUntil: '2026-06-30' })),
    ...['issue', 'close', 'remove'].flatMap((ask) => [
      open(paths.capitalCall(pageIdOf('contributions'), { ask })),
      open(paths.distribution(pageIdOf('distributions'), { ask })),
    ]),
    ...['approve', 'reject', 'remove'].map((confirm) => open(paths.draw(idOf('draws'), { confirm }))),
    open(paths.mainFund(idOf('mainFunds'), { confirm: 'remove' })),
    open(paths.transaction(idOf('transactions'), { confirm: 'close' })),
    submit('the split of a NAV', paths.newNav({ fund }), {
      intent: 'split',
      fund,
      cutOffDate: '2026-06-20',
      gross: '1000',
      net: '990',
      status: 'Draft',
    }),
    submit('a NAV that is moved to the future', paths.editNavs([idOf('navs')]), {
      ...rowOfForm('navs'),
      'rows[0].gross': String(rowOf('navs').gross),
      'rows[0].net': String(rowOf('navs').net),
    }),
    submit('a write-off that is moved to the future', paths.editWriteOffs([idOf('writeOffs')]), {
      ...rowOfForm('writeOffs'),
      'rows[0].amount': FAR,
    }),
    submit('a write-off in the future', paths.newWriteOff({ fund }), {
      intent: 'create',
      fund,
      commitment,
      cutOffDate: FUTURE,
      amount: FAR,
      status: 'Draft',
    }),
    submit('a commitment beyond the hard cap', paths.editCommitment(fund, commitment), { ...terms, intent: 'save' }),
    submit('a repayment of more than is owed', paths.newRepayment({ transaction: idOf('transactions') }), {
      intent: 'record',
      transaction: idOf('transactions'),
      noteTitle: note.title,
      cutOffDate: '2026-10-31',
      'amounts[0].currency': 'USD',
      'amounts[0].principal': FAR,
    }),
    submit('the publication of statements', paths.fund(fund), ofDocuments('reviewDocuments')),
    submit('the removal of statements', paths.fund(fund), ofDocuments('reviewRemoval')),
    submit('the preview of an announcement', paths.newAnnouncement({ for: 'LPs' }), {
      intent: 'preview',
      kind: 'LPs',
      target: idOf('LPs'),
      title: 'Far news',
      description: 'Some',
    }),
    submit('the preview of an announcement about a fund', paths.newAnnouncement({ for: 'funds' }), {
      intent: 'preview',
      kind: 'funds',
      target: fund,
      title: 'Far news',
      description: 'Some',
    }),
  ];
}
