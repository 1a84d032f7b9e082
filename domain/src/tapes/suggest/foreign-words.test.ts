import { describe, expect, test } from 'vitest';
import { foreignStatus, languageOf } from './foreign-words.ts';
import { nameScores } from './header-words.ts';
import { statusMeant } from './statuses.ts';

const likeliest = (header: string, headers: readonly string[]): string => {
  const [best] = nameScores(header, languageOf(headers)).sort((a, b) => b.score - a.score);
  return best!.score < 0.85 ? '' : best!.names.path;
};

describe('headers of a tape in another language', () => {
  test.each([
    ['de', ['Darlehensnummer', 'Kreditnehmer', 'Auszahlungsdatum', 'Restschuld', 'Monatliche Rate', 'Tage überfällig']],
    ['fr', ['Numéro de prêt', 'Emprunteur', 'Date de déblocage', 'Encours', 'Mensualité', 'Jours de retard']],
    ['es', ['Número de préstamo', 'Deudor', 'Fecha de desembolso', 'Saldo', 'Cuota', 'Días de mora']],
    ['it', ['Numero contratto', 'Debitore', 'Data erogazione', 'Debito residuo', 'Rata mensile', 'Giorni di ritardo']],
    ['pt', ['Número do contrato', 'Tomador', 'Data de liberação', 'Saldo', 'Parcela', 'Dias em atraso']],
    ['pl', ['Numer umowy', 'Dłużnik', 'Data wypłaty', 'Saldo', 'Rata', 'Dni opóźnienia']],
    ['nl', ['Leningnummer', 'Kredietnemer', 'Datum uitbetaling', 'Saldo', 'Maandlast', 'Dagen achterstand']],
    ['sv', ['Lånenummer', 'Låntagare', 'Utbetalningsdatum', 'Saldo', 'Månadsbetalning', 'Dagar i dröjsmål']],
    ['no', ['Lånenr', 'Låntaker', 'Utbetalt dato', 'Restgjeld', 'Terminbeløp', 'Dager forfalt']],
    ['da', ['Lånenr', 'Låntager', 'Udbetalingsdato', 'Restgæld', 'Månedsydelse', 'Dage forfalden']],
    ['cs', ['Číslo smlouvy', 'Dlužník', 'Datum čerpání', 'Zůstatek', 'Měsíční splátka', 'Dní prodlení']],
    ['tr', ['Kredi No', 'Borçlu', 'Kullandırım Tarihi', 'Bakiye', 'Taksit', 'Gecikme Günü']],
    ['id', ['Nomor Pinjaman', 'Debitur', 'Tanggal Pencairan', 'Saldo', 'Angsuran', 'Hari Tunggakan']],
    ['ro', ['Număr contract', 'Debitor', 'Data acordării', 'Sold', 'Rată', 'Zile întârziere']],
    ['hu', ['Szerződésszám', 'Adós', 'Folyósítás dátuma', 'Egyenleg', 'Törlesztőrészlet', 'Késedelmes napok']],
    ['fi', ['Lainan numero', 'Velallinen', 'Nostopäivä', 'Saldo', 'Lyhennys', 'Päivää erääntynyt']],
  ])('are read in %s', (language, headers) => {
    expect(languageOf(headers)).toBe(language);
    expect(headers.map((header) => likeliest(header, headers))).toEqual([
      'assetId',
      'borrowerId',
      'dateFinanced',
      'sums.outstandingSum',
      'sums.scheduledPayment',
      'daysPastDue',
    ]);
  });

  test('are English where few of them are words of another language', () => {
    const headers = [
      'Loan ID',
      'Borrower',
      'Rate',
      'Land Value',
      'Note Date',
      'Restschuld',
      'Term',
      'Status',
      'Balance',
    ];
    expect(languageOf(headers)).toBeNull();
    expect(likeliest('Rate', headers)).toBe('interestRate');
    expect(likeliest('Restschuld', headers)).toBe('sums.outstandingSum');
  });

  test('mean on a German tape what they mean in German', () => {
    const headers = ['Kontonummer', 'Kunde', 'Restschuld', 'Zinssatz', 'Rate'];
    expect(likeliest('Rate', headers)).toBe('sums.scheduledPayment');
  });

  test.each([
    [
      'concedida',
      ['Importe concedida', 'Fecha de vencimiento', 'Saldo', 'Deudor', 'Cuota'],
      'Fecha concedida',
      'dateFinanced',
    ],
  ])('are read in another ending: %s', (_, headers, header, path) => expect(likeliest(header, headers)).toBe(path));
});

test.each([
  ['Tipo de interés', 'interestRate'],
  ['Taxa de juros', 'interestRate'],
  ['Kapitał do spłaty', 'sums.outstandingPrincipal'],
  ['Valor a receber', 'sums.outstandingSum', 'Número do contrato', 'Tomador', 'Parcela'],
  ['Počet dní po splatnosti', 'daysPastDue', 'Číslo smlouvy', 'Dlužník', 'Zůstatek'],
  ['Jatuh tempo', 'dates.maturityDate'],
  ['Tipo de interés de demora', ''],
])('the phrase in “%s” is read as a whole: %s', (header, path, ...others) =>
  expect(likeliest(header, [header, ...others])).toBe(path),
);

test.each([
  ['Vigente', 'current'],
  ['PRZETERMINOWANA', 'pastDue'],
  ['getilgt', 'paid'],
  ['Impayé', 'delinquent'],
  ['Contentieux', 'default'],
  ['Castigado', 'chargedOff'],
  ['Mystery', null],
])('the status “%s” is %s', (text, status) => expect(foreignStatus(text)).toBe(status));

test('“Cancelado” is left to a person: it means paid in one country, and canceled in another', () => {
  expect(statusMeant('Cancelado', false)).toBeNull();
  expect(statusMeant('Cancelled', false)).toBe('canceled');
});
