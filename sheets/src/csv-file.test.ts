import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inspectSheetFile } from './inspect-sheet.ts';
import { readCell } from './raw-batch.ts';
import { readSheetBatches } from './read-sheet.ts';
import { SheetError } from './sheet-error.ts';
import { anyText } from './testing/any-text.ts';
import { readPlainCsv } from './testing/plain-csv.ts';
import { readRows, writeFile } from './testing/workbook-file.ts';
import { guessUtf16 } from './text-encoding.ts';

const read = async (content: string | Uint8Array) => (await readRows(writeFile('.csv', content))).rows;

describe('CSV files', () => {
  test.each([
    ['commas', 'Loan,Balance,Note\nLN-1,5,a\n'],
    ['semicolons', 'Loan;Balance;Note\nLN-1;5;a\n'],
    ['tabs', 'Loan\tBalance\tNote\nLN-1\t5\ta\n'],
    ['bars', 'Loan|Balance|Note\r\nLN-1|5|a\r\n'],
    ['a last line without an end', 'Loan,Balance,Note\nLN-1,5,a'],
    ['old Macintosh line ends', 'Loan,Balance,Note\rLN-1,5,a\r'],
    ['a UTF-8 mark', '\ufeffLoan,Balance,Note\nLN-1,5,a\n'],
  ])('%s', async (_, content) => {
    expect(await read(content)).toEqual([['LN-1', '5', 'a']]);
  });

  test('quoted fields may contain delimiters, quotes and line ends; a record counts as one row', async () => {
    const path = writeFile('.csv', 'Loan,Note,State\n"LN ""1""","a, b\nc",CA\nLN-2,"",NY\n');
    const { rows, rowNumbers } = await readRows(path);
    expect(rows).toEqual([
      ['LN "1"', 'a, b\nc', 'CA'],
      ['LN-2', null, 'NY'],
    ]);
    expect(rowNumbers).toEqual([2, 3]);
  });

  test('decimal commas do not make a comma the delimiter', async () => {
    expect(await read('Loan;Balance;Rate\nLN-1;1,5;2,25\nLN-2;3,5;4,25\n')).toEqual([
      ['LN-1', '1,5', '2,25'],
      ['LN-2', '3,5', '4,25'],
    ]);
  });

  test('title lines and blank lines above the header, counted blank lines below it, ragged rows', async () => {
    const path = writeFile('.csv', 'My tape\n\nLoan,Balance,State\nLN-1,5\n\n,,\nLN-2,6,CA,,\n\n');
    const { head, rows, rowNumbers, blankRows } = await readRows(path);
    expect(head.headerRow).toBe(3);
    expect(rows).toEqual([
      ['LN-1', '5', null],
      ['LN-2', '6', 'CA'],
    ]);
    expect(rowNumbers).toEqual([4, 7]);
    expect(blankRows).toBe(2);
  });

  test('UTF-16 and Windows-1252 are distinguished from UTF-8', async () => {
    const content = 'Loan,Größe,Note\nLN-1,5,é\n';
    const expected = [['LN-1', '5', 'é']];
    expect(await read(content)).toEqual(expected);
    expect(await read(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(content, 'utf16le')]))).toEqual(expected);
    expect(await read(Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(content, 'utf16le').swap16()]))).toEqual(
      expected,
    );
    expect(await read(Buffer.from(content, 'latin1'))).toEqual(expected);
  });

  test('the preview shows the same', async () => {
    const shown = await inspectSheetFile(writeFile('.csv', 'Loan,Balance\nLN-1,5\nLN-2,\n'));
    expect(shown).toMatchObject({
      kind: 'csv',
      headerRow: 1,
      sheetName: 'CSV',
      sheets: [{ name: 'CSV', hidden: false }],
    });
    expect(shown.columns.map((column) => column.header)).toEqual(['Loan', 'Balance']);
    expect(shown.rows.map((row) => row.cells.map((cell) => cell.value))).toEqual([
      ['LN-1', '5'],
      ['LN-2', ''],
    ]);
  });

  test('a file with only numbers has no header and is rejected', async () => {
    await expect(read('1,2,3\n4,5,6\n')).rejects.toThrow(/no header row/);
  });

  test('a large file is returned in batches, wherever its chunks are cut', async () => {
    const lines = Array.from({ length: 60_000 }, (_, row) => `LN-${row},"text, ""${row}""",${row / 4}`);
    const path = writeFile('.csv', `Loan,Text,Balance\n${lines.join('\r\n')}`);
    const { batches, rows } = await readRows(path, { batchRows: 25_000 });
    expect(batches.map((batch) => batch.rowCount)).toEqual([25_000, 25_000, 10_000]);
    expect(rows[59_999]).toEqual(['LN-59999', 'text, "59999"', '14999.75']);
    expect([...new Set(rows.map((row, index) => row[0] === `LN-${index}`))]).toEqual([true]);
  });

  test('a delimiter within quotes is not mistaken for the file’s own', async () => {
    const { rows } = await readRows(writeFile('.csv', '"Loan","Note"\n"a",";;\na"'), { headerRow: 1 });
    expect(rows).toEqual([['a', ';;\na']]);
  });

  test.each([
    ['text after a closing quote', '"Smith" & Sons', '"Smith" & Sons'],
    ['the same with a delimiter within the quotes', '"Smith, Jones" & Sons', '"Smith, Jones" & Sons'],
    ['a quote within a text', '12" pipe', '12" pipe'],
    ['blanks after a closing quote', '"Smith"  ', 'Smith'],
    ['digits that Excel is to keep', '="00123"', '00123'],
    ['the same in quotes', '"=""00123"""', '00123'],
    ['a delimiter in it', '="1,234"', '1,234'],
    ['a formula that is more than that', '="a"&"b"', '="a"&"b"'],
    ['NUL that pads a field', 'Smith\0\0\0', 'Smith'],
    ['a vertical tab', 'one\vtwo', 'one\vtwo'],
  ])('%s', async (_, field, expected) => {
    const path = writeFile('.csv', `Loan,Name,State\nLN-1,${field},CA\nLN-2,b,NY\n`);
    const { rows, misfits } = await readRows(path);
    expect(rows).toEqual([
      ['LN-1', expected, 'CA'],
      ['LN-2', 'b', 'NY'],
    ]);
    expect(misfits).toEqual([]);
    expect((await inspectSheetFile(path)).rows[0]?.cells[1]?.value).toBe(expected);
  });

  test('UTF-16 without a mark', async () => {
    const content = 'Loan,Größe,Note\r\nLN-1,5,é\r\n';
    const expected = [['LN-1', '5', 'é']];
    expect(await read(Buffer.from(content, 'utf16le'))).toEqual(expected);
    expect(await read(Buffer.from(content, 'utf16le').swap16())).toEqual(expected);
  });

  test.each([
    ['Cyrillic', 'Договор;Заёмщик;Остаток', 'Д1;Иванов Пётр Сергеевич;1200,50'],
    ['Greek', 'Δάνειο;Οφειλέτης;Υπόλοιπο', 'Δ1;Γιώργος Παπαδόπουλος;1200,50'],
    ['Japanese', '契約番号;借入人氏名;残高', 'Ａ1;山田太郎 上海;1200'],
    ['Polish', 'Umowa;Dłużnik;Saldo', '1;Żółć Łódź Ćma Ęą;0'],
  ])('UTF-16 without a mark in %s', async (_, header, row) => {
    for (const text of [`${header}\r\n${row}\r\n`, `${header}\n${`${row}\n`.repeat(3000)}`]) {
      for (const bytes of [Buffer.from(text, 'utf16le'), Buffer.from(text, 'utf16le').swap16()]) {
        const path = writeFile('.csv', bytes);
        const { rows } = await readRows(path);
        expect(rows.at(-1)).toEqual(row.split(';'));
        expect((await inspectSheetFile(path)).columns.map((column) => column.header)).toEqual(header.split(';'));
      }
    }
  });

  test('text with NUL in it is not mistaken for UTF-16', async () => {
    const rows = 'Loan,Grade\nA\0,x\0\nB\0,y\0\n';
    expect(await read(Buffer.from(rows))).toEqual([
      ['A', 'x'],
      ['B', 'y'],
    ]);
    expect(await read(Buffer.from('Loan,Grade\nA\0,é\0\nB\0,ü\0\n', 'utf8'))).toEqual([
      ['A', 'é'],
      ['B', 'ü'],
    ]);
  });

  test('property: text in UTF-8 or Windows-1252 is never taken for UTF-16, whatever bytes there are', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 200 }), (text) => {
        const bare = text.replaceAll('\0', ' ');
        expect(guessUtf16(Buffer.from(bare, 'utf8'))).toBeUndefined();
        expect(guessUtf16(Buffer.from(bare, 'latin1').filter((byte) => byte !== 0))).toBeUndefined();
      }),
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(['utf-16le', 'utf-16be', undefined]).toContain(guessUtf16(bytes));
      }),
    );
  });

  const filler = 'LN-1,Smith,5\n'.repeat(100_000);

  test('letters beyond ASCII that come after a first chunk without any', async () => {
    const utf8 = await readRows(writeFile('.csv', `Loan,Name,Balance\n${filler}LN-2,Müller,6\n`));
    expect(utf8.rows.at(-1)).toEqual(['LN-2', 'Müller', '6']);
    const windows = Buffer.from(`Loan,Name,Balance\n${filler}LN-2,Müller,6\n`, 'latin1');
    expect((await readRows(writeFile('.csv', windows))).rows.at(-1)).toEqual(['LN-2', 'Müller', '6']);
  });

  test.each([
    ['after clean first chunks', `Loan,Name,Balance\nLN-0,Zoë,1\n${filler}`, 100_003],
    ['among the first rows', 'Loan,Name,Balance\nLN-0,Zoë,1\nLN-0,Jürgen,1\n', 4],
  ])('an invalid byte in a UTF-8 file is rejected with its line, %s', async (_, above, line) => {
    const bytes = Buffer.concat([Buffer.from(above), Buffer.from('LN-2,M\xfcller,6\n', 'latin1')]);
    await expect(readRows(writeFile('.csv', bytes))).rejects.toThrow(
      `Line ${line.toLocaleString('en')} of the file contains a byte that is not valid in UTF-8`,
    );
  });

  test('a UTF-8 file that ends within a character, and characters split between chunks', async () => {
    const cut = Buffer.from('Loan,Name\nLN-1,é\nLN-2,é').subarray(0, -1);
    await expect(readRows(writeFile('.csv', cut))).rejects.toThrow(/^Line 3 of the file contains a byte/);
    const names = Array.from({ length: 200_000 }, (_, row) => `LN-${row},ł€😀ł€😀${row}\n`);
    const { rows } = await readRows(writeFile('.csv', `Loan,Name\n${names.join('')}`));
    expect([...new Set(rows.map((row, at) => row[1] === `ł€😀ł€😀${at}`))]).toEqual([true]);
  });

  const inEncoding = (pairs: Readonly<Record<string, number[]>>, text: string): Buffer =>
    Buffer.from([...text].flatMap((letter) => pairs[letter] ?? [...Buffer.from(letter, 'latin1')]));
  const cyrillic = Object.fromEntries(
    [...'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя'].map((letter, at) => [letter, [0xc0 + at]]),
  );
  const macintosh = { é: [0x8e], ü: [0x9f], ñ: [0x96], ö: [0x9a], á: [0x87], '’': [0xd5], '€': [0xdb], í: [0x92] };
  const japanese = {
    山: [0x8e, 0x52],
    田: [0x93, 0x63],
    太: [0x91, 0xbe],
    郎: [0x98, 0x59],
    東: [0x93, 0x8c],
    京: [0x8b, 0x9e],
    あ: [0x82, 0xa0],
    い: [0x82, 0xa2],
  };

  test.each([
    [
      'Cyrillic',
      /Windows-1251 \(Cyrillic\)/,
      inEncoding(cyrillic, 'Loan,Name\nLN-1,Иванов Пётр\nLN-2,Москва\n'.replace('ё', 'е')),
    ],
    ['one Cyrillic name', /Windows-1251 \(Cyrillic\)/, inEncoding(cyrillic, 'Loan,Name\nLN-1,Иванов\n')],
    ['Mac Roman', /Mac Roman/, inEncoding(macintosh, 'Loan,Name\nLN-1,Café Müller\nLN-2,España\nLN-3,Björn\n')],
    ['an apostrophe of Mac Roman', /Mac Roman/, inEncoding(macintosh, 'Loan,Name\nLN-1,O’Brien\n')],
    ['a euro sign of Mac Roman', /Mac Roman/, inEncoding(macintosh, 'Loan,Amount\nLN-1,€500\n')],
    ['Shift-JIS', /Shift-JIS \(Japanese\)/, inEncoding(japanese, 'Loan,Name\nLN-1,山田太郎\nLN-2,東京あい\n')],
    [
      'Polish',
      /Windows-1250 \(Central European\)/,
      Buffer.from('Loan,Name\nLN-1,Wa\xb3\xeasa\nLN-2,\xafo\xb3nierz\n', 'latin1'),
    ],
    [
      'Czech',
      /Windows-1250 \(Central European\)/,
      Buffer.from('Loan,Name\nLN-1,Dvo\xf8\xe1k\nLN-2,Nov\xe1\xe8ek\n', 'latin1'),
    ],
    ['Turkish', /Windows-1254 \(Turkish\)/, Buffer.from('Loan,Name\nLN-1,Erdo\xf0an\nLN-2,I\xfe\xfdk\n', 'latin1')],
    ['no encoding at all', /could not be determined/, Buffer.from('Loan,Name\nLN-1,a\x81 b\x8d c\x90 d\n', 'latin1')],
  ])('%s is named instead of misread', async (_, name, bytes) => {
    const path = writeFile('.csv', bytes);
    await expect(readRows(path)).rejects.toThrow(name);
    await expect(inspectSheetFile(path)).rejects.toThrow(/Save it as UTF-8/);
  });

  test.each([
    'Müller & Söhne, Straße 5',
    'Café de l’Île',
    'O’Brien’s “Pub” – Dublin',
    'García Núñez, Año 2024',
    'MÜLLER GMBH',
    '€500',
    '£1,200 ½',
    'Þórður Sigurðsson',
    'Ærø Færge A/S, Ålborg',
    'São Paulo – Ações',
    'Acme® 5 m²',
    'à la carte',
  ])('Windows-1252 is read: %s', async (name) => {
    const signs: Record<string, number[]> = { '’': [0x92], '“': [0x93], '”': [0x94], '–': [0x96], '€': [0x80] };
    const path = writeFile('.csv', inEncoding(signs, `Loan,Name\nLN-1,"${name}"\n`));
    expect((await readRows(path)).rows).toEqual([['LN-1', name]]);
  });

  test('Ctrl-Z at the end of a file is not a row', async () => {
    const { rows } = await readRows(writeFile('.csv', 'Loan,Balance\r\nLN-1,5\r\n\x1a'));
    expect(rows).toEqual([['LN-1', '5']]);
  });

  const lines = (count: number, from = 0) =>
    Array.from({ length: count }, (_, row) => `LN-${from + row},Name ${from + row},${row},CA\n`).join('');

  test.each([
    ['closed by a quote of a later row', `LN-X,"Smith,5,CA\n${lines(50)}LN-Y,"Jones, B.",6,NY\n${lines(50)}`],
    ['closed by the end of a later text', `LN-X,"Smith,5,CA\n${lines(50)}LN-Y,pipe 12",6,NY\n${lines(50)}`],
    ['closed by the end of a text of the next row', `LN-X,"Smith,5,CA\nLN-Y,pipe 12",6,NY\n${lines(50)}`],
    ['never closed', `LN-X,"Smith,5,CA\n${lines(100)}`],
    ['never closed in a megabyte', `LN-X,"Smith,5,CA\n${lines(80_000)}`],
  ])('a quote that is %s is rejected, with its row and column', async (_, below) => {
    const path = writeFile('.csv', `Loan,Name,Balance,State\n${lines(5000, 1000)}${below}`);
    await expect(readRows(path)).rejects.toThrow(/^Row 5,002, column "Name": a quotation mark/);
  });

  test('a quote that is not closed in the first rows is also rejected by the preview', async () => {
    const path = writeFile(
      '.csv',
      `Loan,Name,Balance,State\nLN-X,"Smith,5,CA\n${lines(10)}LN-Y,pipe 12",6,NY\n${lines(50)}`,
    );
    await expect(inspectSheetFile(path)).rejects.toThrow(/^Row 2, column "Name": a quotation mark/);
    await expect(readRows(path)).rejects.toThrow(/^Row 2, column "Name": a quotation mark/);
  });

  test('addresses over several lines, with commas, are texts', async () => {
    const address = 'Smith, John\nMill Lane 5, Leeds\nUnited Kingdom';
    const { rows } = await readRows(writeFile('.csv', `Loan,Address,Balance,State\nLN-1,"${address}",5,CA\n`));
    expect(rows).toEqual([['LN-1', address, '5', 'CA']]);
  });

  test('a row with more fields than the header is reported, and all rows are read', async () => {
    const path = writeFile('.csv', 'Loan,Balance,Rate\nLN-1,5,0.1\nLN-2,1,234,567.89,0.2\nLN-3,6,0.3,,\n');
    const { rows, rowNumbers, misfits } = await readRows(path);
    expect(rowNumbers).toEqual([2, 3, 4]);
    expect(rows[1]).toEqual(['LN-2', '1', '234']);
    expect(misfits).toEqual([[3, '567.89,0.2']]);
    expect((await inspectSheetFile(path)).misfits).toEqual(new Map([[3, '567.89,0.2']]));
    // An empty name at the end of the header is not a column.
    expect((await readRows(writeFile('.csv', 'Loan,Balance,\nLN-1,1,234\n'))).misfits).toEqual([[2, '234']]);
    // A record with only surplus fields is a row as well.
    expect((await readRows(writeFile('.csv', 'Loan,Balance\nLN-1,5\n,,x\n'))).misfits).toEqual([[3, 'x']]);
  });

  test('values in columns without a header are counted', async () => {
    const path = writeFile('.csv', ',Loan,Balance,,\n1,LN-1,5,,\n2,LN-2,6,,\n');
    const { rows, facts } = await readRows(path);
    expect(rows).toEqual([
      ['LN-1', '5'],
      ['LN-2', '6'],
    ]);
    expect(facts).toEqual({ formulasWithoutResult: 0, unnamedCells: 2, unnamedColumns: 'A' });
    expect((await inspectSheetFile(path)).facts).toEqual(facts);
  });

  test('a text may have up to 1 MB', async () => {
    const longest = 'x'.repeat(1 << 20);
    expect((await readRows(writeFile('.csv', `Loan,Note\nLN-1,${longest}\n`))).rows[0]?.[1]).toHaveLength(1 << 20);
    for (const note of [`${longest}x`, `"${longest}x"`]) {
      await expect(readRows(writeFile('.csv', `Loan,Note\nLN-1,${note}\n`))).rejects.toThrow(
        /^Row 2, column "?(?:Note|B)"?: a quotation mark|^Row 2, column "?(?:Note|B)"? contains text of more than 1 MB/,
      );
    }
  });

  test('more rows than a worksheet can hold', async () => {
    const path = writeFile('.csv', `Loan,Balance\n${'LN-1,5\n'.repeat(1_048_600)}LN-2,6\n`);
    let rows = 0;
    let last: unknown;
    for await (const batch of readSheetBatches(path)) {
      rows += batch.rowCount;
      last = [batch.rowNumbers[batch.rowCount - 1], readCell(batch, 0, batch.rowCount - 1)];
    }
    expect([rows, last]).toEqual([1_048_601, [1_048_602, 'LN-2']]);
  });

  test('property: no field of any file is lost, however it is written', async () => {
    const piece = fc.constantFrom('a', 'LN-1', '"', '""', ',', '\n', '\r\n', ' ', '="', 'é', '5', '\t', ';');
    const blank = (field: string): boolean => field.replaceAll('\u00a0', ' ').trim() === '';
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 40 }), async (pieces) => {
        // The head establishes that commas are the delimiter and that there are four columns.
        const head = `Loan,Name,Balance,State\n${'LN-0,a,5,CA\n'.repeat(20)}`;
        const records = readPlainCsv(head + pieces.join(''));
        const path = writeFile('.csv', head + pieces.join(''));
        const read = await readRows(path, { headerRow: 1 }).catch((error: unknown) => error);
        if (read instanceof SheetError) {
          refused += 1;
          expect(read.message).toMatch(/^Row \d+, column .*: a quotation mark/);
          expect(records.some((fields) => fields === null || fields.some((field) => /[\r\n]/.test(field)))).toBe(true);
          return;
        }
        const { rows, rowNumbers, misfits } = read as Awaited<ReturnType<typeof readRows>>;
        const shown = records.flatMap((fields, at) =>
          fields?.some((field) => !blank(field)) ? [{ row: at + 1, fields }] : [],
        );
        expect(records).not.toContain(null);
        expect(rowNumbers).toEqual(shown.slice(1).map(({ row }) => row));
        expect(rows).toEqual(shown.slice(1).map(({ fields }) => [0, 1, 2, 3].map((at) => fields[at] || null)));
        expect(misfits.map(([row]) => row)).toEqual(
          shown.filter(({ fields }) => fields.slice(4).some((field) => !blank(field))).map(({ row }) => row),
        );
      }),
      { numRuns: 400 },
    );
    expect(refused).toBeGreaterThan(0);
  });

  test('property: quoted fields are read back unchanged', async () => {
    const field = fc.string({
      unit: fc.constantFrom('a', 'b', '"', ',', ';', '\n', ' ', 'é', '1'),
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(field, field), { minLength: 1, maxLength: 20 }), async (data) => {
        const lines = [['Loan', 'Note'], ...data].map((row) =>
          row.map((text) => `"${text.replaceAll('"', '""')}"`).join(','),
        );
        const path = writeFile('.csv', lines.join('\n'));
        const { rows } = await readRows(path, { headerRow: 1 });
        expect(rows).toEqual(data.filter((row) => row.some((text) => text.trim() !== '')));
      }),
      { numRuns: 60 },
    );
  });
});
