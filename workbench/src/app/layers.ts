// What the scene can show, each with its checkbox and key.

export interface Layer {
    name: string;
    key: string;
    says: string;
    isOn: boolean;
}

export const LAYERS = {
    markers: { name: "Markers", key: "m", says: "Measured round, filled diamonds, predicted cubes", isOn: true },
    labels: { name: "Labels", key: "b", says: "Names of markers", isOn: false },
    trails: { name: "Trails", key: "t", says: "Where markers come from; those in use stronger", isOn: false },
    raw: { name: "As recorded", key: "r", says: "Recorded markers beside repaired ones", isOn: false },
    bones: { name: "Skeleton", key: "s", says: "Bones from joint to joint, left and right in two colours", isOn: true },
    body: { name: "Body", key: "d", says: "Limbs about as thick as they are", isOn: true },
    wire: { name: "Wire frame", key: "w", says: "Limbs as wires", isOn: false },
    joints: { name: "Joints", key: "j", says: "Dark: centre well known, white: fairly, red: barely", isOn: true },
    ellipsoids: { name: "Error ellipsoids", key: "e", says: "Two standard errors of joint centres", isOn: true },
    axes: { name: "Segment axes", key: "a", says: "x red, y green, z blue", isOn: false },
    path: {
        name: "Path of the joint",
        key: "p",
        says: "The way of the chosen joint or marker, from start to end",
        isOn: false,
    },
    plates: { name: "Force plates", key: "f", says: "Plates and the force on them", isOn: true },
    floor: { name: "Floor", key: "g", says: "Floor, grid and shadow", isOn: true },
} satisfies Record<string, Layer>;

export type LayerName = keyof typeof LAYERS;
export type Layers = Record<LayerName, boolean>;

export const initialLayers = (): Layers =>
    Object.fromEntries(Object.entries(LAYERS).map(([name, { isOn }]) => [name, isOn])) as Layers;
