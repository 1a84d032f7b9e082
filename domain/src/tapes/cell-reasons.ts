/** Why a cell cannot be converted. The text follows the cell's value: `"abc" is not a number`. */
export const CELL_REASONS = {
  sheetError: 'is a spreadsheet error',
  notNumber: 'is not a number',
  booleanNotNumber: 'is true or false, not a number',
  dateNotNumber: 'is a date, not a number',
  notBoolean: 'is a date, not true or false',
  notDate: 'is not a date in the expected format',
  notSerial: 'is not a valid date',
  percentSign: 'has a percent sign, but the chosen scale is 0 to 1',
  negativeRate: 'is a negative rate',
} as const;
