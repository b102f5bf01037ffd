/** A sample that different tokenizers split differently: letters, digits, punctuation, white space, code and other scripts. */
export const SAMPLE =
  'The customer\'s been charged 12,345.67 € twice…\n\n\tif (x >= 10) { return "naïve café" }  漢字かな Привет'
