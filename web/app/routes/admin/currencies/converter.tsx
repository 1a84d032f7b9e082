import { getFormProps } from '@conform-to/react';
import { Form } from '@remix-run/react';
import { minorUnitDigits } from '@tapeline/domain/money/minor-units.ts';
import { RATE_SOURCE_LABELS } from '@tapeline/domain/money/rates.ts';
import type { z } from 'zod';
import { DateText, Figure, Money } from '../../../components/figures/figures.tsx';
import { Button } from '../../../components/forms/button.tsx';
import { CURRENCY_CHOICES } from '../../../components/forms/currency-choices.ts';
import { SelectField, TextField } from '../../../components/forms/fields.tsx';
import { useShortForm } from '../../../components/forms/use-short-form.ts';
import { PanelSection } from '../../../components/page/section.tsx';
import type { CurrenciesPage } from './currencies-page.server.ts';
import { CONVERT_LABELS, type convertSchema } from './rate-forms.ts';

export function Converter({ page }: { page: CurrenciesPage }) {
  const { conversion, lastResult, today } = page;
  const [form, fields] = useShortForm<z.input<typeof convertSchema>>('convert', {
    lastResult,
    defaultValue: conversion
      ? { sum: conversion.from.sum, from: conversion.from.currency, to: conversion.to.currency, on: conversion.on }
      : { from: 'EUR', to: 'USD', on: today },
    required: ['sum'],
    chosen: ['from', 'to', 'on'],
  });
  return (
    <PanelSection title="Convert" note="At the rates in force on a day" padded>
      <Form method="get" {...getFormProps(form)} className="flex flex-col gap-3" preventScrollReset>
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField field={fields.sum} label={CONVERT_LABELS.sum} inputMode="decimal" autoComplete="off" />
          <TextField field={fields.on} label={CONVERT_LABELS.on} type="date" />
          <SelectField field={fields.from} label={CONVERT_LABELS.from} choices={CURRENCY_CHOICES} />
          <SelectField field={fields.to} label={CONVERT_LABELS.to} choices={CURRENCY_CHOICES} />
        </div>
        <div>
          <Button type="submit">Convert</Button>
        </div>
      </Form>
      {conversion ? <Converted conversion={conversion} /> : null}
    </PanelSection>
  );
}

function Converted({ conversion }: { conversion: NonNullable<CurrenciesPage['conversion']> }) {
  const { from, to, rate, used, missing } = conversion;
  return (
    <div role="status" className="mt-4 border-t border-line pt-3 text-sm">
      <p className="text-base font-semibold">
        <Money value={from} digits={minorUnitDigits(from.currency)} withCurrency zero="figure" /> ={' '}
        <Money value={to} digits={minorUnitDigits(to.currency)} withCurrency zero="figure" />
      </p>
      <p className="mt-1 text-ink-2">
        1 {from.currency} = <Figure value={rate} /> {to.currency}
      </p>
      <ul className="mt-1 text-xs text-ink-2">
        {used.map(({ currency, rate: units, date, source }) => (
          <li key={currency}>
            1 USD = <Figure value={units} /> {currency}, <DateText value={date} />,{' '}
            {RATE_SOURCE_LABELS[source].toLowerCase()}
          </li>
        ))}
      </ul>
      {missing.length > 0 ? (
        <p className="mt-2 text-warning">
          No rate of {missing.join(' and ')} is known. It was converted as if one US dollar were worth 1{' '}
          {missing.join(' and 1 ')}.
        </p>
      ) : null}
    </div>
  );
}
