/** Exact decimal arithmetic on the numbers as they are written: an integer and how many of its digits are decimals. */
interface Decimal {
  digits: bigint;
  scale: number;
}

export const add = (a: number, b: number): string => {
  const [x, y] = [toDecimal(a), toDecimal(b)];
  const scale = Math.max(x.scale, y.scale);
  return format({ digits: widen(x, scale) + widen(y, scale), scale });
};

export const multiply = (a: number, b: number): string => {
  const [x, y] = [toDecimal(a), toDecimal(b)];
  return format({ digits: x.digits * y.digits, scale: x.scale + y.scale });
};

/** Throws for what is not a finite number. */
function toDecimal(value: number): Decimal {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new Error(`${value} is not a finite number.`);
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', decimals = ''] = mantissa.split('.');
  const scale = decimals.length - Number(exponent);
  const digits = BigInt(whole + decimals);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

const widen = (value: Decimal, scale: number): bigint => value.digits * 10n ** BigInt(scale - value.scale);

function format({ digits, scale }: Decimal): string {
  if (scale === 0) return digits.toString();
  const sign = digits < 0n ? '-' : '';
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
  const decimals = text.slice(-scale).replace(/0+$/, '');
  const whole = text.slice(0, -scale);
  return decimals === '' ? `${whole === '0' ? '' : sign}${whole}` : `${sign}${whole}.${decimals}`;
}
