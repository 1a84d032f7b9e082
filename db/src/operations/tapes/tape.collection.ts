import { dayInWords, joined, type StoredCollection, TITLE_OF } from '../../collections/stored-collection.ts';
import { AssetId } from '../../entities/search.ts';
import { CorrectionProposal, LoanTape } from '../../entities/tapes.ts';

export const storedTapes = {
  entity: LoanTape,
  title: "t.attachment ->> 'name'",
  parts: [['tape_generations', 'tape_id']],
  found: { detail: joined(TITLE_OF.company, dayInWords('t.cut_off_date')), numbered: /^(loan )?tape$/ },
  fields: {
    company: 'text',
    cutOffDate: 'date',
    schedulerStatus: 'text',
    processStatus: 'text',
    mainCurrency: 'text',
    calculateBB: ['Borrowing base requested', 'boolean'],
    assetsETL: 'text',
    published: 'boolean',
    publishedAt: 'instant',
    'counts.dataRows': ['Data rows', 'number'],
    'counts.assets': ['Assets', 'number'],
    'counts.errored': ['Errored assets', 'number'],
  },
} as const satisfies StoredCollection;

export const storedAssets = {
  entity: AssetId,
  title: 't.asset_id',
  isDocument: false,
  found: {
    from: `unnest($1::text[], $2::text[]) as found (id, key) join asset_ids t on t.company_id = found.id and t.key = found.key`,
    id: 't.company_id',
    detail: TITLE_OF.company,
  },
} as const satisfies StoredCollection;

export const storedProposals = {
  entity: CorrectionProposal,
  title: `'Proposal ' || t.code || coalesce(' for ' || (select attachment ->> 'name' from loan_tapes
      where loan_tapes.id = t.tape_id), '')`,
  fields: { loanTape: 'text', company: 'text', decidedAt: ['Decided', 'instant'] },
} as const satisfies StoredCollection;
