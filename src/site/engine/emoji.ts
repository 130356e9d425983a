/** In the place of `emoji-regex`, which is a list of them all: a browser has that list. @returns a new one each time. */
const emojis = (): RegExp => new RegExp('\\p{RGI_Emoji}', 'gv');

// What `require` gives to string-width.
export { emojis as 'module.exports' };
