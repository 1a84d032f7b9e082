import { nullIfRefused } from '@tapeline/domain/errors/refusal.ts';
import { type Actor, can } from '@tapeline/domain/people/actor.ts';
import { provedText } from '@tapeline/domain/pools/proof-words.ts';
import type { RequestContext } from '../http/context.ts';
import { openPayments, paymentDocuments, proofOf } from './payment-proof.server.ts';
import { type AsCaller, openPair } from './pool-analyses.server.ts';
import { rollPair } from './roll-forward.server.ts';

interface CertificateOfTape {
  readonly generationId: string;
  readonly tape: { readonly id: string; readonly isRepublished: boolean } | null;
}

/**
 * What the payments of a certificate's tape prove of the change since the borrower's previous tape, in each currency.
 * Empty without a payment file whose columns are recognised, for a tape that was published again since, and for readers who
 * may not read assets.
 */
export async function proofOfCertificate(
  context: Pick<RequestContext, 'lake' | 'objects'>,
  { actor, asCaller }: { actor: Actor; asCaller: AsCaller },
  { tape }: CertificateOfTape,
): Promise<string[]> {
  if (!tape || tape.isRepublished || !can(actor, 'assets/read')) return [];
  const pair = await openPair(context, asCaller, { loanTapeId: tape.id }).catch(nullIfRefused);
  const [file] = pair ? paymentDocuments(pair.after) : [];
  if (!pair?.before || !file) return [];
  const rolled = await rollPair(context, pair.before, pair.after);
  if (!rolled) return [];
  const payments = await openPayments(context, asCaller, rolled, { file: file.index, columns: {} }).catch(
    nullIfRefused,
  );
  if (!payments?.read) return [];
  const { currencies } = await proofOf(context, rolled, payments, payments.read);
  return currencies.map(provedText);
}
