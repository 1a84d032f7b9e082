/**
 * SQL of what can be drawn against a borrowing base today: the net borrowing base less reserves plus adjustments. A reserve
 * on a balance that was not recorded at its calculation is zero if nothing was drawn by the cut-off date; otherwise the
 * available base is null until the borrowing base is calculated again. A dilution whose figures are missing is never zero.
 * @param base the alias of `borrowing_bases`
 */
export const availableTodaySql = (base: string): string => `coalesce(${base}.available_base, case
  when not exists (select from draws w where w.note_id = ${base}.note_id and w.status = 'Approved' and w.due_date <= ${base}.cut_off_date)
    and not exists (select from repayments p where p.note_id = ${base}.note_id and p.status = 'Active' and p.cut_off_date <= ${base}.cut_off_date)
    and not exists (select from jsonb_array_elements(${base}.result #> '{totals,reserves}') as reserve
      where reserve ->> 'kind' = 'dilution' and reserve -> 'amount' = 'null')
  then greatest(0, ${base}.net_bb - (select coalesce(sum((reserve #>> '{amount,sum}')::numeric), 0)
    from jsonb_array_elements(${base}.result #> '{totals,reserves}') as reserve)
    + (select coalesce(sum((adjustment #>> '{amount,sum}')::numeric), 0)
    from jsonb_array_elements(${base}.result #> '{totals,adjustments}') as adjustment)) end)`;
