import type { DocumentCollection } from '@tapeline/domain/people/access.ts';
import { endpoints } from '../app/api/api.server.ts';
import type { Asked } from './asked.ts';
import { collectionAt } from './asked-calls.ts';
import { pagesOf } from './asked-screens.ts';
import type { MarkedDocuments } from './marked-documents.ts';

/** A document as the API shows it, to be sent again. */
export type Body = Readonly<Record<string, unknown>>;

/** The calls that refer to a document in their body or query: a call to its fund, a figure to its tape. */
function references(collection: DocumentCollection, id: string, marked: MarkedDocuments): Asked[] {
  const call = (method: string, path: string, body?: unknown): Asked => ({
    what: `${method} ${path} of ${collection}`,
    ask: ({ api }) => api.call(method, path, body === undefined ? {} : { body }),
  });
  const usd = (sum: number) => ({ sum, currency: 'USD' });
  const day = '2026-06-20';
  const ofFund = { fund: id, cutOffDate: day };
  const lp = { id: collection === 'LPs' ? id : marked.idOf('LPs'), kind: 'LP' };
  const commitment = (fund: string) =>
    call('POST', '/crud/LPCommitments', { fund, investor: lp, closingDate: day, maxCommitment: usd(1) });
  switch (collection) {
    case 'funds':
      return [
        call('POST', '/crud/contributions', {
          ...ofFund,
          dueDate: '2026-07-15',
          callNumber: 'R',
          amount: usd(1),
          callPurposes: [{ title: 'R', kind: 'investments', amount: 1 }],
        }),
        call('POST', '/crud/distributions', {
          ...ofFund,
          callNumber: 'R',
          distributionKind: 'Principal Only',
          principal: usd(1),
        }),
        call('POST', '/crud/writeOffs', [{ ...ofFund, amount: usd(1) }]),
        call('POST', '/crud/navs', [{ ...ofFund, investor: lp, gross: 1, net: 1, currency: 'USD' }]),
        call('POST', '/crud/capitalAccounts', [{ ...ofFund, investor: lp, status: 'Draft' }]),
        commitment(id),
        call('POST', '/crud/announcements', { resource: { kind: 'funds', id }, title: 'News', description: 'Some' }),
      ];
    case 'LPs':
      return [
        commitment(marked.idOf('funds')),
        call('POST', '/crud/announcements', { resource: { kind: 'LPs', id }, title: 'News', description: 'Some' }),
      ];
    case 'mainFunds':
      return [
        call('POST', `/crud/mainFunds/capitalAccounts/${id}`, [{ cutOffDate: day, status: 'Draft' }]),
        call('PUT', `/crud/mainFunds/${id}/classes`, { version: 1, classes: [] }),
      ];
    case 'contributions':
    case 'distributions':
      return [
        call('POST', `/crud/${collection}/reGenerateFiles`, { ids: [id] }),
        call('POST', `/crud/${collection}/submit`, { documents: [{ id, version: 1 }] }),
        call('POST', `/crud/${collection}/return`, { documents: [{ id, version: 1 }], reason: 'Wrong' }),
      ];
    case 'transactions':
      return [
        call('POST', '/crud/transactionDraws', {
          transaction: id,
          noteTitle: marked.note.title,
          cutOffDate: '2026-10-31',
          dueDate: '2026-11-05',
          draws: [{ type: 'Regular', amounts: [usd(1)] }],
        }),
        call('POST', '/crud/repayments', [
          {
            transaction: id,
            noteTitle: marked.note.title,
            cutOffDate: '2026-10-31',
            repayments: [{ kind: 'principal', amount: usd(1) }],
          },
        ]),
      ];
    case 'companies':
      return [
        call('POST', '/crud/announcements', {
          resource: { kind: 'companies', id },
          title: 'News',
          description: 'Some',
        }),
        call('GET', `/LTP/dictionary/${id}`),
      ];
    case 'loanTapes':
      return [
        call('POST', '/LTP/calculateBB', { loanTapeId: id }),
        call('DELETE', '/LTP/assets/deleteProcess', { loanTapeId: id }),
        call('POST', '/LTP/assets/errored', { loanTapeId: id, assets: [{ rowNumber: 3, originData: {} }] }),
        call('DELETE', '/LTP/assets/errored', { loanTapeId: id }),
        call('POST', `/LTP/questions/${id}`, { answers: [] }),
        call('GET', `/LTP?loanTapeId=${id}`),
        call('GET', `/crud/loanTape/${id}/BBsStatuses`),
        call('GET', `/LTP/analytics/vintages?loanTapeId=${id}`),
        call('GET', `/crud/assets/statistics?loanTapeId=${id}`),
      ];
    default:
      return [];
  }
}

/**
 * Everything that takes the id of a document: each call and page of its collection, and the calls that refer to it.
 * @param body the document as its reader is shown it
 */
export function allById(collection: DocumentCollection, id: string, body: Body, marked: MarkedDocuments): Asked[] {
  const calls = endpoints.flatMap(({ method, path }): Asked[] => {
    if (collectionAt(path).collection !== collection) return [];
    const what = `${method} ${path}`;
    const version = body.version ?? 1;
    if (path.endsWith('/{id}')) {
      const address = path.replace('{id}', id);
      const sent = method === 'PUT' ? { body: { ...body, id, version } } : {};
      return [{ what, ask: ({ api }) => api.call(method, address, sent) }];
    }
    if (method === 'PUT' && /\/bulk(\/update)?$/.test(path))
      return [{ what, ask: ({ api }) => api.call(method, path, { body: [{ id, version }] }) }];
    if (method === 'PUT' && !path.includes('{'))
      return [{ what, ask: ({ api }) => api.call(method, path, { body: { ...body, id, version } }) }];
    if (method === 'DELETE' && !path.includes('{'))
      return [{ what, ask: ({ api }) => api.call(method, path, { query: { ids: [id] } }) }];
    if (method === 'GET' && !path.includes('{'))
      return [{ what, ask: ({ api }) => api.call(method, path, { query: { filter: { id } } }) }];
    return [];
  });
  const pageId = id === marked.idOf(collection) ? marked.pageIdOf(collection) : id;
  const pages = pagesOf(collection, pageId).map(
    (page): Asked => ({ what: page.replace(pageId, id), ask: (client) => client.get(page) }),
  );
  return [...calls, ...references(collection, id, marked), ...pages];
}
