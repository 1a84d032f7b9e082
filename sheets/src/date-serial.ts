import type { Epoch } from './raw-batch.ts';

const DAY_SECONDS = 86_400;
const DAY_MS = DAY_SECONDS * 1000;
/** 1899-12-30: serial 0 for all dates from 1 March 1900. For earlier dates the 1900 system is one day behind. */
const ORIGIN_1900_MS = Date.UTC(1899, 11, 30);
const ORIGIN_1904_MS = Date.UTC(1904, 0, 1);
/** 1900 was not a leap year, but serial 60 of the 1900 system is its 29 February. */
const FALSE_LEAP_DAY = 60;

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(\.\d+)?)?)?(?:Z|[+-]\d{2}:?\d{2})?$/;

const ISO_TIME = /^T?([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(\.\d+)?)?Z?$/;

/**
 * An ISO date, date and time, or time of day as a serial of the workbook; undefined if it is none of these or has no
 * serial.
 */
export function isoToSerial(text: string, epoch: Epoch): number | undefined {
  const time = ISO_TIME.exec(text);
  if (time !== null) {
    return (Number(time[1]) * 3600 + Number(time[2]) * 60 + Number(time[3] ?? 0) + Number(time[4] ?? 0)) / DAY_SECONDS;
  }
  const parts = ISO.exec(text);
  if (parts === null) {
    return undefined;
  }
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const midnight = Date.UTC(year, month - 1, day);
  const made = new Date(midnight);
  if (made.getUTCMonth() !== month - 1 || made.getUTCDate() !== day) {
    return undefined;
  }
  const seconds =
    Number(parts[4] ?? 0) * 3600 + Number(parts[5] ?? 0) * 60 + Number(parts[6] ?? 0) + Number(parts[7] ?? 0);
  const days = (midnight - (epoch === 1904 ? ORIGIN_1904_MS : ORIGIN_1900_MS)) / DAY_MS;
  const serial = epoch === 1900 && days <= FALSE_LEAP_DAY ? days - 1 : days;
  return serial < 0 ? undefined : serial + seconds / DAY_SECONDS;
}

/**
 * The day of a serial, and the second of that day. Calculations leave serials just below a day (42988.99999999999), so they are
 * rounded to seconds before anything else, wherever a serial is shown or mapped.
 */
export function dayAndSecond(serial: number): { day: number; second: number } {
  const seconds = Math.round(serial * DAY_SECONDS);
  const day = Math.floor(seconds / DAY_SECONDS);
  return { day, second: seconds - day * DAY_SECONDS };
}

/**
 * A serial as an ISO date, with the time of day if it has one (to the second); undefined outside Excel's calendar (up
 * to 9999-12-31). Serial 60 of the 1900 system is shown as 1900-02-29, as in Excel.
 */
export function serialToIso(serial: number, epoch: Epoch): string | undefined {
  const { day: days, second: ofDay } = dayAndSecond(serial);
  if (!Number.isFinite(serial) || serial < 0 || days > (epoch === 1904 ? 2_957_003 : 2_958_465)) {
    return undefined;
  }
  const time = ofDay === 0 ? '' : ` ${new Date(ofDay * 1000).toISOString().slice(11, 19)}`;
  if (epoch === 1900 && days === FALSE_LEAP_DAY) {
    return `1900-02-29${time}`;
  }
  const shifted = epoch === 1900 && days < FALSE_LEAP_DAY ? days + 1 : days;
  const origin = epoch === 1904 ? ORIGIN_1904_MS : ORIGIN_1900_MS;
  return `${new Date(origin + shifted * DAY_MS).toISOString().slice(0, 10)}${time}`;
}
