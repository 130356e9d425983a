class Doubled {
  readonly twice = this.value * 2;

  constructor(private readonly value: number) {}
}

/** 2 where the compiler follows tsconfig.json; NaN where fields are made before the parameters are assigned. */
export const TWICE_ONE = new Doubled(1).twice;
