import { isObject, type Json, type JsonObject } from '../kernel/body.ts';
import { dayAt } from '../kernel/timestamp.ts';

/** What is certainly wrong with an input; each operation has its own requirement for each fault. */
export type FlightFault =
  | 'number-missing'
  | 'number-no-digits'
  | 'number-digits'
  | 'number-prefix'
  | 'number-character'
  | 'number-suffix'
  | 'date-missing'
  | 'date-time'
  | 'date-form'
  | 'date-unreal'
  | 'airport-missing'
  | 'airport-form';

/** What breaks the grammar in any reading of zeros and separators; null if it may be valid. */
export function flightNumberFault(value: Json | undefined): FlightFault | null {
  if (typeof value !== 'string' || value === '') return 'number-missing';
  const cleaned = value.replace(/[\s-]/g, '').toUpperCase();
  if (
    /^[A-Z0-9]{2,3}\d{1,4}$/.test(cleaned.replace(/^(..)0+/, '$1')) ||
    /^[A-Z0-9]{2,3}0*\d{1,4}$/.test(cleaned)
  )
    return null;
  // Whether other dashes and spaces are removed is not stated.
  if (/[^\x20-\x7e]/.test(cleaned)) return null;
  if (/[^A-Z0-9]/.test(cleaned)) return 'number-character';
  if (!/\d/.test(cleaned)) return 'number-no-digits';
  if (/^[A-Z]{2,3}\d+[A-Z]+$/.test(cleaned)) return 'number-suffix';
  if (/^[A-Z]{2,3}\d+$/.test(cleaned)) return 'number-digits';
  return /^([A-Z]\d?|[A-Z]{4,}\d+)$/.test(cleaned) ? 'number-prefix' : null;
}

/** Whether a date is past depends on clocks, and is left to the checks. */
export function departureDateFault(value: Json | undefined): FlightFault | null {
  if (typeof value !== 'string' || value === '') return 'date-missing';
  const text = value.trim();
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return /^\d{4}-\d\d-\d\d\D/.test(text) ? 'date-time' : 'date-form';
  return dayAt(text) === null ? 'date-unreal' : null;
}

export function airportFault(value: Json | undefined): FlightFault | null {
  if (typeof value !== 'string') return 'airport-missing';
  return /^\p{L}{3}$/u.test(value.trim()) ? null : 'airport-form';
}

/** The requirement for the first fault for which no service may accept callbackData; null if there is none. */
export function callbackDataRow(data: Json | undefined): string | null {
  if (data === undefined || data === null) return null;
  if (!isObject(data) || Object.keys(data).length === 0) return 'FLA-CBR-018';
  return fidRow(data.fid) ?? addressRow(data);
}

function fidRow(fid: Json | undefined): string | null {
  if (fid === undefined || fid === null) return 'FLA-CBR-001';
  if (typeof fid !== 'string') return 'FLA-CBR-002';
  if (fid === '') return 'FLA-CBR-003';
  // The unit of the 255 characters is open.
  return /^[\x20-\x7e]{256,}$/.test(fid) ? 'FLA-CBR-004' : null;
}

function addressRow({ callbackUrl: text }: JsonObject): string | null {
  if (typeof text !== 'string') return 'FLA-CBR-006';
  const url = URL.parse(text);
  if (!url) return text.includes('://') ? null : 'FLA-CBR-013';
  const host = /^[a-z]+:\/\/([^/?#]*)/i.exec(text.trim())?.[1]?.toLowerCase() ?? '';
  if (url.protocol !== 'https:') return 'FLA-CBR-007';
  if (url.username !== '' || url.password !== '') return 'FLA-CBR-008';
  if (/^(\d{1,3}\.){3}\d{1,3}(:\d+)?$/.test(host)) return 'FLA-CBR-009';
  if (host.startsWith('[')) return 'FLA-CBR-010';
  // An empty fragment is none to some readers.
  if (/#./s.test(text)) return 'FLA-CBR-011';
  const name = host.replace(/:\d+$/, '');
  const isInternal = name === 'localhost' || name.endsWith('.localhost') || /^[a-z][a-z-]*$/.test(name);
  return isInternal ? 'FLA-CBR-012' : null;
}
