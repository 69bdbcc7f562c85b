// What can be the id of an app in Google Play.

export function isPackageName(text: string): boolean {
  return text.length <= 255 && /^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/.test(text);
}
