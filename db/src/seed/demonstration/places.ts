/** A state where the lenders lend: its share of borrowers and a few of its cities with their zip prefixes. */
export type Place = {
  readonly state: string;
  /** Population in hundred thousands, rounded (2020 census). */
  readonly population: number;
  /** City and the first three digits of its zip codes. */
  readonly cities: readonly (readonly [city: string, zipPrefix: string])[];
};

const place = (state: string, population: number, ...cities: (readonly [string, string])[]): Place => ({
  state,
  population,
  cities,
});

export const PLACES: readonly Place[] = [
  place('CA', 395, ['Los Angeles', '900'], ['San Diego', '921'], ['Sacramento', '958'], ['Fresno', '937']),
  place('TX', 291, ['Houston', '770'], ['Dallas', '752'], ['San Antonio', '782'], ['Austin', '787']),
  place('FL', 215, ['Miami', '331'], ['Tampa', '336'], ['Orlando', '328'], ['Jacksonville', '322']),
  place('NY', 202, ['New York', '100'], ['Brooklyn', '112'], ['Buffalo', '142'], ['Rochester', '146']),
  place('PA', 130, ['Philadelphia', '191'], ['Pittsburgh', '152']),
  place('IL', 128, ['Chicago', '606'], ['Rockford', '611']),
  place('OH', 118, ['Columbus', '432'], ['Cleveland', '441'], ['Cincinnati', '452']),
  place('GA', 107, ['Atlanta', '303'], ['Savannah', '314']),
  place('NC', 104, ['Charlotte', '282'], ['Raleigh', '276']),
  place('MI', 101, ['Detroit', '482'], ['Grand Rapids', '495']),
  place('NJ', 93, ['Newark', '071'], ['Jersey City', '073']),
  place('VA', 86, ['Richmond', '232'], ['Norfolk', '235']),
  place('WA', 77, ['Seattle', '981'], ['Spokane', '992']),
  place('AZ', 72, ['Phoenix', '850'], ['Tucson', '857']),
  place('MA', 70, ['Boston', '021'], ['Worcester', '016']),
  place('TN', 69, ['Nashville', '372'], ['Memphis', '381']),
  place('IN', 68, ['Indianapolis', '462'], ['Fort Wayne', '468']),
  place('MD', 62, ['Baltimore', '212']),
  place('MO', 62, ['Kansas City', '641'], ['St. Louis', '631']),
  place('WI', 59, ['Milwaukee', '532'], ['Madison', '537']),
  place('CO', 58, ['Denver', '802'], ['Colorado Springs', '809']),
  place('MN', 57, ['Minneapolis', '554'], ['St. Paul', '551']),
  place('SC', 51, ['Charleston', '294'], ['Columbia', '292']),
  place('AL', 50, ['Birmingham', '352'], ['Mobile', '366']),
  place('LA', 47, ['New Orleans', '701'], ['Baton Rouge', '708']),
  place('KY', 45, ['Louisville', '402'], ['Lexington', '405']),
  place('OR', 42, ['Portland', '972'], ['Eugene', '974']),
  place('OK', 40, ['Oklahoma City', '731'], ['Tulsa', '741']),
  place('CT', 36, ['Hartford', '061'], ['New Haven', '065']),
  place('UT', 33, ['Salt Lake City', '841']),
  place('IA', 32, ['Des Moines', '503']),
  place('NV', 31, ['Las Vegas', '891'], ['Reno', '895']),
  place('AR', 30, ['Little Rock', '722']),
  place('MS', 30, ['Jackson', '392']),
  place('KS', 29, ['Wichita', '672']),
  place('NM', 21, ['Albuquerque', '871']),
  place('NE', 20, ['Omaha', '681']),
  place('ID', 18, ['Boise', '837']),
  place('WV', 18, ['Charleston', '253']),
  place('HI', 15, ['Honolulu', '968']),
  place('NH', 14, ['Manchester', '031']),
  place('ME', 14, ['Portland', '041']),
  place('RI', 11, ['Providence', '029']),
  place('MT', 11, ['Billings', '591']),
  place('DE', 10, ['Wilmington', '198']),
  place('SD', 9, ['Sioux Falls', '571']),
  place('ND', 8, ['Fargo', '581']),
  place('AK', 7, ['Anchorage', '995']),
  place('DC', 7, ['Washington', '200']),
  place('VT', 6, ['Burlington', '054']),
  place('WY', 6, ['Cheyenne', '820']),
];
