import type { PartyKind } from '@tapeline/domain/cash/party.ts';

/** With whom a payment or an obligation is. The title is null if the actor cannot see the party. */
export interface CashParty {
  readonly kind: PartyKind;
  readonly id: string;
  readonly title: string | null;
}

/** SQL of the party of a row, as `CashParty`; null without one. @param row the name of the row */
export const partySql = (row: string): string => `case
  when ${row}.investor_lp_id is not null then jsonb_build_object('kind', 'LP', 'id', ${row}.investor_lp_id,
    'title', (select title from lps where id = ${row}.investor_lp_id))
  when ${row}.investor_fund_id is not null then jsonb_build_object('kind', 'fund', 'id', ${row}.investor_fund_id,
    'title', (select title from funds where id = ${row}.investor_fund_id))
  when ${row}.company_id is not null then jsonb_build_object('kind', 'company', 'id', ${row}.company_id,
    'title', (select name from companies where id = ${row}.company_id)) end`;

/** The columns of a party. */
export const partyColumns = (party: { readonly kind: PartyKind; readonly id: string } | null | undefined) => ({
  investorLPId: party?.kind === 'LP' ? party.id : null,
  investorFundId: party?.kind === 'fund' ? party.id : null,
  companyId: party?.kind === 'company' ? party.id : null,
});
