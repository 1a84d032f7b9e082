import type { DecimalSign, FigureOptions } from './serialization.schema.ts';

const SPACES = /[\t\n\f\r \u00a0]/g;
const bare = (text: string): string => text.replace(SPACES, '');

/**
 * The text of a figure as conversions read it by default: with a leading minus and a decimal point, without thousands
 * separators. A text that is no figure with these options becomes one that is not a number. Whole tapes are read by compiled
 * SQL, which is tested against this.
 */
export function plainFigure(text: string, { decimal, negative }: FigureOptions): string {
  const signed = negative === 'brackets' ? unbracketed(text) : negative === 'trailing' ? untrailed(text) : text;
  return decimal === undefined || bare(signed) === '' ? signed : withPoint(signed, decimal);
}

function unbracketed(text: string): string {
  const [, inside, percent] = /^\(([^()+-]*)\)(%?)$/.exec(bare(text)) ?? [];
  return inside === undefined ? text : `-${inside}${percent}`;
}

function untrailed(text: string): string {
  const [, before, percent] = /^([^()+-]+)-(%?)$/.exec(bare(text)) ?? [];
  return before === undefined ? text : `-${before}${percent}`;
}

function withPoint(text: string, decimal: DecimalSign): string {
  const [point, separator] = decimal === 'comma' ? [',', '.'] : ['.', ','];
  const written = bare(text).replace(/[%\u202f\u2009]/g, '');
  const [, sign = '', rest = ''] = /^([+-]?)(.*)$/s.exec(written) ?? [];
  const [whole = '', ...places] = rest.split(point);
  const groups = whole.split(/\D/);
  const marks = new Set(whole.replace(/\d/g, ''));
  const isWhole =
    groups.length === 1
      ? whole !== '' || (places.length === 1 && places[0] !== '')
      : /^\d{1,3}$/.test(groups[0] ?? '') && groups.slice(1).every((group) => /^\d{3}$/.test(group));
  const isSeparated = [...marks].every((mark) => mark === separator) || [...marks].every((mark) => "'’".includes(mark));
  if (!isWhole || !isSeparated || places.length > 1 || /\D/.test(places.join(''))) return 'no figure';
  return `${sign}${groups.join('')}${places.map((digits) => `.${digits}`).join('')}${text.includes('%') ? '%' : ''}`;
}
