/** People of investors that the manager moved over from a spreadsheet, by the title of their investor. */
const CONTACTS = [
  { LP: 'St Bride Endowment', firstName: 'Moira', lastName: 'Kinnear', email: 'moira.kinnear@stbride.test' },
  { LP: 'St Bride Endowment', firstName: 'Alan', lastName: 'Pirie', email: 'alan.pirie@stbride.test' },
];

/** The file of contacts of investors that the demonstration imports. */
export const demonstrationImport = () => ({ name: 'Investor contacts.csv', contacts: CONTACTS });
