import { callsOf } from '@tapeline/domain/collections/collections.ts';
import { DOCUMENT_COLLECTIONS, type DocumentCollection } from '@tapeline/domain/people/access.ts';
import { inject } from 'vitest';
import { endpoints } from '../app/api/api.server.ts';
import type { Asked } from './asked.ts';
import type { MarkedDocuments } from './marked-documents.ts';

/** The collection that a path of the API is about, and the name of it in the path. */
export function collectionAt(path: string): { name: string; collection: DocumentCollection | undefined } {
  const [calls = '', name = ''] = /^\/crud\/(\w+)/.exec(path) ?? [];
  return { name, collection: DOCUMENT_COLLECTIONS.find((one) => callsOf(one) === calls) };
}

/** Every call that reads: lists, counts and figures, also as files, and the planted documents by their ids. */
export function allReads(marked: MarkedDocuments): Asked[] {
  const { others, idOf } = marked;
  return endpoints.flatMap(({ method, path, access, files = [] }): Asked[] => {
    if (method !== 'GET' || access === 'public' || access === 'refresh cookie') return [];
    const { name, collection } = collectionAt(path);
    const about = path.startsWith('/LTP/dictionary/') ? 'companies' : collection;
    const id = about ? idOf(about) : (others.get(name) ?? '0'.repeat(24));
    const { key } = marked.tapeFile;
    const values: Record<string, string> = { kind: 'all', fileId: key, sheetName: 'Loan Tape', id, loanTapeId: id };
    const address = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => encodeURIComponent(values[parameter]!));
    const query: Record<string, string> = path.startsWith('/LTP/analytics/') ? { loanTapeId: idOf('loanTapes') } : {};
    if (path.endsWith('/stratification')) query.field = 'creditScores.grade';
    if (path.endsWith('/changes/assets')) query.kind = 'grew';
    const calls: Record<string, string>[] = [{}, ...(files.includes('text/csv') ? [{ accept: 'text/csv' }] : [])];
    return calls.map((headers) => ({
      what: `GET ${path} ${Object.values(headers).join('')}`.trim(),
      ask: ({ api }) => api.call('GET', address, { query, headers }),
    }));
  });
}

/** Writes that are refused or only checked, because they name what stands against them; and questions. */
export function allWrites(marked: MarkedDocuments): Asked[] {
  const { idOf, note } = marked;
  const post = (what: string, path: string, body: unknown): Asked => ({
    what,
    ask: ({ api }) => api.post(path, body),
  });
  const far = 900_000_000_000;
  const ofFund = { fund: idOf('funds'), cutOffDate: '2026-06-20' };
  const usd = (sum: number) => ({ sum, currency: 'USD' });
  const ofNote = { transaction: idOf('transactions'), noteTitle: note.title, cutOffDate: '2026-10-31' };
  const draws = [{ type: 'Regular', amounts: [usd(1000)] }];
  const questions = [
    'List the funds',
    'List the investors',
    'List the companies',
    'List the commitments',
    'List the capital calls',
    'List the distributions',
    'List the draws',
    'List the transactions',
  ];
  return [
    post('a call beyond what is unfunded', '/crud/contributions', {
      ...ofFund,
      dueDate: '2026-07-15',
      callNumber: 'Far',
      amount: usd(far),
      callPurposes: [{ title: 'Far', kind: 'investments', amount: far }],
      status: 'Active',
    }),
    post('a distribution beyond what was called', '/crud/distributions', {
      ...ofFund,
      callNumber: 'Far',
      distributionKind: 'Principal Only',
      principal: usd(far),
      status: 'Active',
    }),
    post('a write-off beyond what was called', '/crud/writeOffs', [{ ...ofFund, amount: usd(far) }]),
    post('statements of investors without a NAV', '/crud/capitalAccounts', [
      { ...ofFund, cutOffDate: '2020-01-31', investor: { id: idOf('LPs'), kind: 'LP' }, status: 'Draft' },
    ]),
    post('a draw that is due after maturity', '/crud/transactionDraws', { ...ofNote, dueDate: '2149-01-01', draws }),
    post('a repayment of more than is owed', '/crud/repayments', [
      { ...ofNote, repayments: [{ kind: 'principal', amount: usd(far) }] },
    ]),
    ...questions.map(
      (text): Asked => ({
        what: `the question "${text}"`,
        ask: async ({ api }) => {
          const chat = await api.post('/crud/chats', { task: 'blank', title: 'Asked' });
          const answer = await api.call('PUT', `/crud/chats/${chat.json.id}/message`, { body: { text } });
          const page = await fetch(new URL(`/chats/${chat.json.id}`, inject('productUrl')), {
            headers: { cookie: [...api.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
          });
          return { ...answer, text: answer.text + (await page.text()) };
        },
      }),
    ),
  ];
}
