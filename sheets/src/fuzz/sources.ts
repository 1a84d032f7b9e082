import { readFileSync } from 'node:fs';
import { sharedStringsXml, sheetXml, workbookParts } from '../workbook-parts.ts';
import { type Source, zip } from './mutate.ts';

const FIXTURES = ['libreoffice-loans', 'openpyxl-loans', 'xlsxwriter-loans', 'xlsxwriter-inline-1904'];

/** Workbooks of several writers, and one written by hand with forms that none of them uses. */
export function fuzzSources(): Source[] {
  const written = FIXTURES.map((name) => ({
    name,
    bytes: readFileSync(new URL(`../fixtures/${name}.xlsx`, import.meta.url)),
  }));
  return [...written, { name: 'by hand', bytes: handMade() }];
}

function handMade(): Buffer {
  const texts = [
    'Loan',
    'Balance',
    'Date',
    'Active',
    'Note',
    'LN-1',
    'naïve &amp; &lt;b&gt;',
    ' kept ',
    'one_x000D_two',
  ];
  const strings = [
    ...texts.map((text) => `<si><t xml:space="preserve">${text}</t></si>`),
    '<si><r><t>ri</t></r><r><rPr><b/></rPr><t>ch</t></r><rPh sb="0" eb="1"><t>x</t></rPh></si>',
    '<si/>',
  ];
  const header = ['A', 'B', 'C', 'D', 'E'].map((letter, code) => `<c r="${letter}2" t="s"><v>${code}</v></c>`).join('');
  const rows = [
    '<row r="1"><c r="A1" t="inlineStr"><is><t>A title</t></is></c></row>',
    `<row r="2" spans="1:5">${header}</row>`,
    '<row r="3"><c r="A3" t="s"><v>5</v></c><c r="B3"><v>1234.5600000000001</v></c><c r="C3" s="1"><v>46203</v></c><c r="D3" t="b"><v>1</v></c><c r="E3" t="s"><v>6</v></c></row>',
    '<row r="4"><c r="A4" t="str"><f>A3&amp;"x"</f><v>LN-1x</v></c><c r="B4"><f t="shared" ref="B4:B5" si="0">B3*2</f><v>-2.5E-3</v></c><c r="C4" t="d"><v>2026-06-30</v></c><c r="D4" t="e"><v>#N/A</v></c><c r="E4" t="s"><v>9</v></c></row>',
    "<row r='5'><c t='n' r='B5'><f t='shared' si='0'/><v> 7 </v></c><c r='E5' t='inlineStr'><is><r><t>in</t></r><r><t>line</t></r></is></c></row>",
    '<row><c t="s"><v>7</v></c><c><v>5</v></c><c s="2"><v>0.5</v></c><c/><c t="s"><v>8</v></c></row>',
    '<row r="9"><c r="A9" t="s"><v>10</v></c><c r="B9"><v>123456789012345678901</v></c><c r="E9" t="inlineStr"><is><t>a<![CDATA[</row>]]>b</t></is></c></row>',
    '<!-- a > comment --><row r="12"><c r="A12"><v>1</v><extLst><ext uri="x"/></extLst></c></row>',
    // formulas without a result, times of day, empty styles, and cells below no header
    '<row r="13"><c r="A13" t="s"><v>5</v></c><c r="B13" s=""><f>B3*2</f></c><c r="C13" t="d"><v>18:30:00</v></c><c r="H13"><v>5</v></c></row>',
    '<row r="14"><c r="A14" t="s"><v>5</v></c><c r="B14"><f>B3*2</f><v></v></c><c r="D14" s="" t="b"><v>0</v></c><c r="H14" t="s"><v>6</v></c></row>',
  ];
  const parts: Record<string, string> = {
    ...workbookParts({ sheets: [{ name: 'Tape' }], formats: ['General', 'yyyy-mm-dd', '0.00%'], sharedStrings: true }),
    'xl/worksheets/sheet1.xml': sheetXml(rows.join('\n')),
    'xl/sharedStrings.xml': sharedStringsXml(strings),
  };
  return zip(Object.entries(parts).map(([name, content]) => ({ name, content: Buffer.from(content), level: 1 })));
}
