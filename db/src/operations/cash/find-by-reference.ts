import {
  findPaymentReferences,
  obligationReferenceKey,
  partsOfReferenceKey,
  type ReferencedObligation,
} from '@tapeline/domain/capital/payment-reference.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import type { ReadSession } from '../../read-session.ts';
import { listObligations, type Obligation, REFERENCED, REFERENCED_JOINS, readableObligations } from './obligations.ts';

/** A text states a few references; more are left out. */
const MAX_REFERENCES = 5;
/** Payments of one reference that are found, the latest first. */
const MAX_PAYMENTS = 12;
/** Of so many texts with the signs of a reference, those that state it are found: fund 12 has those of fund 2 in its own. */
const MAX_SIMILAR = 200;

interface Stated {
  readonly kind: string;
  readonly documentId: string;
  readonly referenced: ReferencedObligation | null;
}

/**
 * The documents whose payment reference is in the text, as a payer or a person writes it. A reference names the numbers of its
 * fund or facility and of its party, so only what is between these two is read.
 * @returns null for a text without a reference
 */
export async function documentsOfReference(session: ReadSession, text: string): Promise<string[] | null> {
  const keys = findPaymentReferences(text).slice(0, MAX_REFERENCES);
  if (keys.length === 0) return null;
  const kinds = readableObligations(session.actor);
  const found: string[] = [];
  for (const key of keys) {
    const parts = partsOfReferenceKey(key);
    if (!parts) continue;
    const rows = await session.query<Stated & Record<string, unknown>>(
      `select o.kind, o.document_id as "documentId", ${REFERENCED} as referenced from obligations o ${REFERENCED_JOINS}
       where o.kind = $1 and o.kind = any ($2) and coalesce(f.code, t.code) = $3 and coalesce(l.code, i.code, c.code) = $4`,
      [parts.kind, kinds, parts.source, parts.party],
    );
    for (const { documentId, referenced } of rows)
      if (referenced && obligationReferenceKey(referenced) === key) found.push(documentId);
  }
  return [...new Set(found)];
}

/** What is owed and has its payment reference in the text, as the actor can see it. */
export async function owedOfReference(session: ReadSession, text: string): Promise<Obligation[]> {
  const documents = await documentsOfReference(session, text);
  if (documents === null || documents.length === 0) return [];
  return (await listObligations(session, { documents })).obligations;
}

/** The payments that pay what a reference of the text is of, and those that state it and are not matched. */
export async function paymentsOfReference(session: ReadSession, text: string): Promise<string[]> {
  if (!can(session.actor, 'payments/read')) return [];
  const keys = findPaymentReferences(text).slice(0, MAX_REFERENCES);
  if (keys.length === 0) return [];
  const documents = (await documentsOfReference(session, text)) ?? [];
  const paid = await session.query<{ id: string }>(
    `select p.id from payments p where p.status = 'Active' and exists (select from allocations a
       where a.payment_id = p.id and a.document_id = any ($1) and a.reversed_at is null)
     order by p.booked_on desc, p.id desc limit ${MAX_PAYMENTS}`,
    [documents],
  );
  // Without what may be missing between the parts, and without the letters of the fund.
  const written = keys.map((key) => `%${key.replaceAll('-', '')}%`);
  const similar = await session.query<{ id: string; remittance: string }>(
    `select p.id, p.remittance from payments p where p.status = 'Active' and p.own_item is null
       and num_nonnulls(p.investor_lp_id, p.investor_fund_id, p.company_id) = 0
       and regexp_replace(upper(p.remittance), '[^0-9A-Z]', '', 'g') like any ($1)
     order by p.booked_on desc, p.id desc limit ${MAX_SIMILAR}`,
    [written],
  );
  const stating = similar
    .filter(({ remittance }) => findPaymentReferences(remittance).some((key) => keys.includes(key)))
    .slice(0, MAX_PAYMENTS);
  return [...new Set([...paid, ...stating].map(({ id }) => id))];
}
