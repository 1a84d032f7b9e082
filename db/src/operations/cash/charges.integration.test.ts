import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CashLedger, openCashLedger } from '../../testing/cash-ledger.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-store.ts';
import { confirmMatches, listPaymentsToMatch } from './match-payments.ts';
import { listObligations, type Obligation } from './obligations.ts';
import { listPayments } from './payments.ts';

const ACCOUNT = 'US640210000210004471';
const PAYER = 'DE89370400440532013000';

let database: TestDatabase;
let ledger: CashLedger;
let owed: Obligation;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const openOf = async () => {
  const { obligations } = await ledger.as((session) => listObligations(session, { documents: [owed.documentId] }));
  const { open, differences } = obligations[0]!;
  return [open, ...differences.map(({ amount, reason }) => `${amount} ${reason}`)];
};
const line = (amount: string, supplement: string, text: string) =>
  [`:61:260410C${amount}NTRFNONREF//${amount}`, ...(supplement ? [supplement] : []), `:86:${text}`].join('\n');
const mt940 = (number: number, opening: string, closing: string, lines: string) =>
  `:20:X\n:25:${ACCOUNT}\n:28C:${number}\n:60F:C260410USD${opening}\n${lines}\n:62F:C260410USD${closing}\n-`;

beforeEach(async () => {
  ledger = await openCashLedger(database, { now: new Date('2026-04-20T12:00:00Z') });
  const { obligations } = await ledger.as((session) => listObligations(session, { kind: 'contribution' }));
  owed = obligations[0]!;
  // The account of the investor is known once a person has allocated a payment from it.
  await ledger.send(mt940(1, '1000,', '1010,', line('10,', '', `/NAME/Oak/IBAN/${PAYER}/REMI/first part`)));
  const { documents } = await ledger.as((session) => listPayments(session));
  await ledger.allocate(documents[0]!.id, '10', owed.documentId);
});

const short = (amount: string, supplement: string, text = `/NAME/Oak/IBAN/${PAYER}/REMI/${owed.reference}`) =>
  line(amount, supplement, text);

describe('an amount that is short by the charges of its file', () => {
  test('in an MT940 is matched, and the charges explain the difference', async () => {
    await ledger.send(mt940(2, '1010,', '1075,', short('65,', '/OCMT/USD90,/CHGS/USD25,')));
    expect(await openOf()).toEqual(['0.00', '25.00 bankCharges']);
  });

  test.each([
    [true, ['0.00', '25.00 bankCharges']],
    [false, ['90']],
  ])('in a camt.054 whose charges are in the amount: %s', async (isIncluded, expected) => {
    const notification = (id: string, amount: string) => `<?xml version="1.0"?>
      <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08"><BkToCstmrDbtCdtNtfctn>
      <GrpHdr><MsgId>${id}</MsgId><CreDtTm>2026-04-10T10:00:00</CreDtTm></GrpHdr><Ntfctn><Id>${id}</Id>
      <CreDtTm>2026-04-10T10:00:00</CreDtTm><Acct><Id><IBAN>${ACCOUNT}</IBAN></Id><Ccy>USD</Ccy></Acct>
      <Ntry><Amt Ccy="USD">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
      <BookgDt><Dt>2026-04-10</Dt></BookgDt><ValDt><Dt>2026-04-10</Dt></ValDt><AcctSvcrRef>${id}</AcctSvcrRef>
      <Chrgs><Rcrd><Amt Ccy="USD">25.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><ChrgInclInd>${isIncluded}</ChrgInclInd></Rcrd></Chrgs>
      <NtryDtls><TxDtls><RltdPties><Dbtr><Pty><Nm>Oak</Nm></Pty></Dbtr><DbtrAcct><Id><IBAN>${PAYER}</IBAN></Id></DbtrAcct></RltdPties>
      <RmtInf><Ustrd>${owed.reference}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry></Ntfctn></BkToCstmrDbtCdtNtfctn></Document>`;
    await ledger.send(notification('N-1', '65.00'));
    expect(await openOf()).toEqual(expected);
    const { rows } = await ledger.as((session) => listPaymentsToMatch(session, { limit: 5 }));
    expect(rows.map(({ suggestions }) => suggestions[0]?.evidence.amount)).toEqual(isIncluded ? [] : ['short']);
  });

  test('is never matched alone for charges above the tolerance, which a payer can write; a person confirms them', async () => {
    await ledger.send(
      mt940(2, '1010,', '1049,99', short('39,99', '', `/NAME/Oak/IBAN/${PAYER}/REMI/${owed.reference} /CHGS/USD50,01`)),
    );
    expect(await openOf()).toEqual(['90']);
    const { rows } = await ledger.as((session) => listPaymentsToMatch(session, { limit: 5 }));
    const { payment, suggestions } = rows[0]!;
    expect(suggestions[0]).toMatchObject({ isAutomatic: false, evidence: { amount: 'charges', reference: 'stated' } });
    const allocations = [
      { kind: 'contribution' as const, document: owed.documentId, amount: { sum: '39.99', currency: null } },
    ];
    const { id, version } = payment;
    await ledger.as((session) => confirmMatches(session, [{ id, version, allocations, closesCharges: true }]));
    expect(await openOf()).toEqual(['0.00', '50.01 bankCharges']);
  });

  test('at the tolerance of the account is matched', async () => {
    await ledger.send(mt940(2, '1010,', '1050,', short('40,', '/CHGS/USD50,')));
    expect(await openOf()).toEqual(['0.00', '50.00 bankCharges']);
  });
});

test('a charge that is booked apart is a payment that went out, of nobody', async () => {
  await ledger.send(
    mt940(
      2,
      '1010,',
      '1085,',
      `${short('90,', '/OCMT/USD90,/CHGS/USD15,')}\n:61:260410D15,NCHGNONREF//FEE\n:86:WIRE FEE`,
    ),
  );
  expect(await openOf()).toEqual(['0.00']);
  const { documents } = await ledger.as((session) => listPayments(session));
  expect(documents.filter(({ direction }) => direction === 'out')).toMatchObject([{ amount: '15.00', party: null }]);
});
