import { expect, test } from 'vitest';
import { readRows } from './read-rows.ts';

const LP = { entityName: 'Tern Pension Fund', formalId: 'T-1', country: 'Deutschland' };
const read = (cells: Record<string, string>) => readRows('LPs', [{ file: 0, row: 2, cells: { ...LP, ...cells } }])[0]!;
const problemsOf = (cells: Record<string, string>) =>
  read(cells).problems.map(({ column, message }) => [column, message]);

test.each([
  [
    'its IBAN',
    { 'bank.IBAN': 'DE89 3704 0044 0532 0130 00' },
    { IBAN: 'DE89370400440532013000', accountNumber: 'DE89370400440532013000', address: 'Germany' },
  ],
  [
    'an IBAN in a column for both',
    { 'bank.ibanOrAccount': 'SE45 5000 0000 0583 9825 7466', 'bank.bicOrAba': 'ESSESESS' },
    { IBAN: 'SE4550000000058398257466', swiftCode: 'ESSESESS', address: 'Sweden' },
  ],
  [
    'its number, whose zeros stay, and the ABA number of the bank',
    { 'bank.ibanOrAccount': '000123456789', 'bank.bicOrAba': '021000021' },
    { accountNumber: '000123456789', abaOrRouting: '021000021', address: 'United States', type: 'Business' },
  ],
  [
    'its number and the SWIFT code of the bank',
    { 'bank.accountNumber': '4417', 'bank.swiftCode': 'NWBKGB2L', 'bank.bankName': 'NatWest' },
    { accountNumber: '4417', address: 'United Kingdom', title: 'NatWest' },
  ],
])('a bank account is known by %s', (_, cells, expected) => {
  expect(problemsOf(cells)).toEqual([]);
  expect(read(cells).payload?.bank).toMatchObject(expected);
});

test.each([
  [{ 'bank.ibanOrAccount': 'CH93 0076 2011 6238 5295 8' }, 'bank.ibanOrAccount'],
  [{ 'bank.IBAN': 'DE88370400440532013000' }, 'bank.IBAN'],
  [{ 'bank.ibanOrAccount': '4417', 'bank.bicOrAba': '021000022' }, 'bank.bicOrAba'],
])('wrong check digits are reported at the column of the file: %j', (cells, column) => {
  expect(problemsOf(cells).map(([at]) => at)).toEqual([column]);
});

test('an account without the code of its bank is not known', () => {
  expect(problemsOf({ 'bank.accountNumber': '4417' })).toContainEqual(['bank.address', 'is required']);
});

test('an email of the investor makes a contact, and is checked', () => {
  expect(read({ 'contact.email': 'ops@tern.example' }).payload?.contact).toEqual({
    name: 'Contact',
    email: 'ops@tern.example',
  });
  expect(problemsOf({ 'contact.email': 'x@@bleue.example' })).toEqual([['contact.email', 'Write an email address']]);
});

const userOf = (fullName: string) =>
  readRows('users', [{ file: 0, row: 2, cells: { fullName, email: 'a@b.example', LPCode: '1' } }])[0]!;
test.each([
  ['Berg, Ann', 'Ann', 'Berg'],
  ['van der Berg, Ann Marie', 'Ann Marie', 'van der Berg'],
  ['Ann Berg', 'Ann', 'Berg'],
])('a full name is split: %s', (fullName, firstName, lastName) => {
  expect(userOf(fullName).payload).toMatchObject({ firstName, lastName });
});
test.each(['Ann Marie Berg', 'Berg', 'Berg, Ann, Dr.'])(
  'a full name that is not clear is a problem: %s',
  (fullName) => {
    expect(userOf(fullName).problems.map(({ column }) => column)).toEqual(['fullName']);
  },
);

const call = (cells: Record<string, string>) =>
  readRows('contributions', [
    {
      file: 0,
      row: 2,
      cells: {
        investorType: 'LP',
        investorCode: '1',
        fundCode: '1',
        currency: 'USD',
        callName: '4',
        defaultValue: '5',
        ...cells,
      },
    },
  ])[0]!;
test.each([
  [{ date: '2026-09-01', dueDate: '2026-09-15' }, '2026-09-01', '2026-09-15'],
  [{ date: '2026-09-01' }, '2026-09-01', '2026-09-01'],
  [{ dueDate: '2026-09-15' }, '2026-09-15', '2026-09-15'],
])('a due date and a cut-off date are read from one or two columns: %j', (cells, date, dueDate) => {
  expect(call(cells).payload).toMatchObject({ date, dueDate });
});
test('a date that cannot be read is reported once, in the column of the file', () => {
  expect(call({ dueDate: 'soon' }).problems.map(({ column }) => column)).toEqual(['dueDate']);
  expect(call({}).problems.map(({ column, message }) => [column, message])).toEqual([['date', 'is required']]);
});

const commitment = (cells: Record<string, string>) =>
  readRows('LPCommitments', [
    {
      file: 0,
      row: 2,
      cells: {
        investorType: 'LP',
        investorCode: '1',
        fundCode: '1',
        currency: 'EUR',
        date: '2025-03-31',
        defaultValue: '5000000',
        ...cells,
      },
    },
  ])[0]!;
test('a current commitment that is another needs the date of the register', () => {
  expect(commitment({ currentCommitment: '5000000.00' }).problems).toEqual([]);
  expect(commitment({ currentCommitment: '5500000', currentDate: '2026-09-30' }).problems).toEqual([]);
  expect(commitment({ currentCommitment: '5500000' }).problems.map(({ column, message }) => [column, message])).toEqual(
    [['currentDate', 'is required']],
  );
});
