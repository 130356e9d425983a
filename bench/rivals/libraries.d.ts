declare module 'simjs';
