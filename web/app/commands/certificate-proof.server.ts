import { nullIfRefused } from '@tapeline/domain/errors/refusal.ts';
import { type Actor, can } from '@tapeline/domain/people/actor.ts';
import { provedText } from '@tapeline/domain/pools/proof-words.ts';
import type { RequestContext } from '../http/context.ts';
import { openPayments, paymentDocuments, proofOf } from './payment-proof.server.ts';
import { type AsCaller, openPair } from './pool-analyses.server.ts';
import { rollPair } from './roll-forward.server.ts';

/** Documents of a tape that are looked at for its payments. */
const MAX_TRIED = 5;

/** What payments prove of the tape of a certificate. */
export interface CertificateProof {
  /** Index of the payment file among the tape's other documents. */
  readonly file: number;
  /** One sentence for each currency. */
  readonly currencies: readonly string[];
}

/**
 * What the payments of a certificate's tape prove of the change since the borrower's previous tape: of the first
 * of its documents whose columns are recognised and that has a payment between the two. Null without such a file, for a
 * tape that was published again since, and for readers who may not read assets.
 */
export async function proofOfCertificate(
  context: Pick<RequestContext, 'lake' | 'objects'>,
  { actor, asCaller }: { actor: Actor; asCaller: AsCaller },
  { tape }: { readonly tape: { readonly id: string; readonly isRepublished: boolean } | null },
): Promise<CertificateProof | null> {
  if (!tape || tape.isRepublished || !can(actor, 'assets/read')) return null;
  const pair = await openPair(context, asCaller, { loanTapeId: tape.id }).catch(nullIfRefused);
  const documents = pair ? paymentDocuments(pair.after).slice(0, MAX_TRIED) : [];
  if (!pair?.before || documents.length === 0) return null;
  const rolled = await rollPair(context, asCaller, pair.before, pair.after);
  if (!rolled) return null;
  // Most tapes have one payment file. Each is cached after it was read.
  for (const { index: file } of documents) {
    const payments = await openPayments(context, asCaller, rolled, { file, columns: {} }).catch(nullIfRefused);
    if (!payments?.read || payments.read.loans.length === 0) continue;
    const { currencies } = await proofOf(context, rolled, payments, payments.read);
    return currencies.length > 0 ? { file, currencies: currencies.map(provedText) } : null;
  }
  return null;
}
