/** The months from January to December in the languages in which tapes write them, each in full and as it is shortened. */
const NAMES = {
  en: 'january jan, february feb, march mar, april apr, may, june jun, july jul, august aug, september sep sept, october oct, november nov, december dec',
  de: 'januar jan jänner jän, februar feb feber, märz mär mrz maerz, april apr, mai, juni jun, juli jul, august aug, september sep sept, oktober okt, november nov, dezember dez',
  fr: 'janvier janv jan, février févr fév, mars mar, avril avr, mai, juin, juillet juil, août aoû, septembre sept sep, octobre oct, novembre nov, décembre déc',
  es: 'enero ene, febrero feb, marzo mar, abril abr, mayo may, junio jun, julio jul, agosto ago, septiembre setiembre sep sept set, octubre oct, noviembre nov, diciembre dic',
  it: 'gennaio gen, febbraio feb, marzo mar, aprile apr, maggio mag, giugno giu, luglio lug, agosto ago, settembre set sett, ottobre ott, novembre nov, dicembre dic',
  pt: 'janeiro jan, fevereiro fev, março mar, abril abr, maio mai, junho jun, julho jul, agosto ago, setembro set, outubro out, novembro nov, dezembro dez',
  nl: 'januari jan, februari feb, maart mrt, april apr, mei, juni jun, juli jul, augustus aug, september sep sept, oktober okt, november nov, december dec',
  pl: 'styczeń stycznia sty, luty lutego lut, marzec marca mar, kwiecień kwietnia kwi, maj maja, czerwiec czerwca cze, lipiec lipca lip, sierpień sierpnia sie, wrzesień września wrz, październik października paź, listopad listopada lis, grudzień grudnia gru',
  sv: 'januari jan, februari feb, mars mar, april apr, maj, juni jun, juli jul, augusti aug, september sep sept, oktober okt, november nov, december dec',
  da: 'januar jan, februar feb, marts mar, april apr, maj, juni jun, juli jul, august aug, september sep sept, oktober okt, november nov, december dec',
  no: 'januar jan, februar feb, mars mar, april apr, mai, juni jun, juli jul, august aug, september sep sept, oktober okt, november nov, desember des',
} as const;

/** By language, the names of each month. */
export const MONTH_NAMES: Readonly<Record<string, readonly (readonly string[])[]>> = Object.fromEntries(
  Object.entries(NAMES).map(([language, months]) => [language, months.split(', ').map((names) => names.split(' '))]),
);

/** Without case and accents. */
const keyOf = (name: string): string => name.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');

/** The number of the month, 1 to 12, by each of its names without case and accents. No name means two months. */
export const MONTH_BY_NAME: ReadonlyMap<string, number> = new Map(
  Object.values(MONTH_NAMES).flatMap((months) =>
    months.flatMap((names, index) => names.map((name) => [keyOf(name), index + 1] as const)),
  ),
);

/** The month that a name means in any of these languages, however it is accented; null if it is none. */
export const monthNamed = (name: string): number | null => MONTH_BY_NAME.get(keyOf(name)) ?? null;
