//! The events of a frame, as columns.

use super::columns::columns;

columns! {
    /// The state of a character before a frame is computed, with its inputs.
    pub struct Pre, PreRow: key 6 {
        /// The random number generator's state.
        random_seed: u32,
        /// The action state.
        action_state: u16,
        /// Position in the game's units.
        x: f32,
        /// Position in the game's units, upwards.
        y: f32,
        /// -1 left, 1 right, rarely 0.
        facing: f32,
        /// The stick as the game sees it, from -1 to 1.
        joystick_x: f32,
        /// The stick as the game sees it, from -1 to 1.
        joystick_y: f32,
        /// The C-stick as the game sees it, from -1 to 1.
        cstick_x: f32,
        /// The C-stick as the game sees it, from -1 to 1.
        cstick_y: f32,
        /// The stronger of both triggers, from 0 to 1.
        trigger: f32,
        /// Buttons and stick directions as the game sees them, one bit each.
        buttons: u32,
        /// Buttons as the controller sends them, one bit each.
        physical_buttons: u16,
        /// The left trigger as the controller sends it, from 0 to 1; garbage up to version 1.0.
        physical_l: f32,
        /// The right trigger as the controller sends it, from 0 to 1; garbage up to version 1.0.
        physical_r: f32,
        ;
        /// The stick as the controller sends it. Since 1.2.
        raw_joystick_x: i8,
        /// Damage in percent. Since 1.4.
        percent: f32,
        /// The stick as the controller sends it. Since 3.15.
        raw_joystick_y: i8,
        /// The C-stick as the controller sends it. Since 3.17.
        raw_cstick_x: i8,
        /// The C-stick as the controller sends it. Since 3.17.
        raw_cstick_y: i8,
    }
}

columns! {
    /// The state of a character after a frame is computed.
    pub struct Post, PostRow: key 6 {
        /// The character, by its number in the game's engine.
        character: u8,
        /// The action state.
        action_state: u16,
        /// Position in the game's units.
        x: f32,
        /// Position in the game's units, upwards.
        y: f32,
        /// -1 left, 1 right, rarely 0.
        facing: f32,
        /// Damage in percent.
        percent: f32,
        /// Shield left, from 60 down to 0.
        shield: f32,
        /// The last attack of this character that hit.
        last_attack_landed: u8,
        /// Hits in a row, as counted by the game.
        combo_count: u8,
        /// The port that last hit this character; 6 for none.
        last_hit_by: u8,
        /// Stocks left.
        stocks: u8,
        ;
        /// How long the action state lasts, in frames; may be -1 or a fraction. Since 0.2.
        state_age: f32,
        /// Reflection, absorption. Since 2.0.
        flags_1: u8,
        /// Intangibility, fast fall, hitlag. Since 2.0.
        flags_2: u8,
        /// Grabbing, shield. Since 2.0.
        flags_3: u8,
        /// Hitstun, power shield. Since 2.0.
        flags_4: u8,
        /// Cloaked, follower, dead, off screen. Since 2.0.
        flags_5: u8,
        /// Frames of hitstun left, while in hitstun; another value otherwise. Since 2.0.
        misc: f32,
        /// 1 in the air, 0 on the ground. Since 2.0.
        airborne: u8,
        /// The ground the character last stood on; 0xffff for none. Since 2.0.
        last_ground: u16,
        /// Jumps left. Since 2.0.
        jumps: u8,
        /// 0 none, 1 succeeded, 2 failed. Since 2.0.
        l_cancel: u8,
        /// 0 vulnerable, 1 invulnerable, 2 intangible. Since 2.1.
        hurtbox: u8,
        /// The character's own speed in the air, per frame. Since 3.5.
        speed_air_x: f32,
        /// The character's own speed upwards, per frame. Since 3.5.
        speed_y: f32,
        /// Knockback speed, per frame. Since 3.5.
        speed_attack_x: f32,
        /// Upward knockback speed, per frame. Since 3.5.
        speed_attack_y: f32,
        /// The character's own speed on the ground, per frame. Since 3.5.
        speed_ground_x: f32,
        /// Frames of hitlag left. Since 3.8.
        hitlag: f32,
        /// The animation shown. Since 3.11.
        animation: u32,
        /// The instance id of the attack that last hit this character. Since 3.16.
        instance_hit_by: u16,
        /// Counts action states over all characters. Since 3.16.
        instance: u16,
    }
}

columns! {
    /// An item or projectile.
    pub struct Items, ItemRow: key 4 {
        /// The type.
        item_type: u16,
        /// The state, whose meaning depends on the type.
        state: u8,
        /// -1 left, 1 right, or 0.
        facing: f32,
        /// Speed, per frame.
        velocity_x: f32,
        /// Speed upwards, per frame.
        velocity_y: f32,
        /// Position in the game's units.
        x: f32,
        /// Position in the game's units, upwards.
        y: f32,
        /// Damage taken.
        damage: u16,
        /// Frames left until it vanishes.
        timer: f32,
        ;
        /// Counts items as they appear. A development build of 2.2 stores it in two bytes, which are in the tail.
        spawn_id: u32,
        /// Samus's missile: 0 homing, 1 super. Since 3.2.
        misc_1: u8,
        /// Peach's turnip: its face. Since 3.2.
        misc_2: u8,
        /// A charge shot: whether it was launched. Since 3.2.
        misc_3: u8,
        /// A charge shot: its power. Since 3.2.
        misc_4: u8,
        /// The port of its owner; -1 for none. Since 3.6.
        owner: i8,
        /// The instance id inherited from its owner. Since 3.16.
        instance: u16,
    }
}

columns! {
    /// A frame starts.
    pub struct FrameStarts, FrameStartRow: key 4 {
        /// The random number generator's state.
        random_seed: u32,
        ;
        /// Frames of the scene, including pauses. Since 3.10.
        scene_frame: u32,
    }
}

columns! {
    /// A frame is complete.
    pub struct Bookends, BookendRow: key 4 {
        ;
        /// The last frame that is final. Since 3.7.
        finalised: i32,
    }
}

columns! {
    /// A platform of Fountain of Dreams moved.
    pub struct FodPlatforms, FodPlatformRow: key 4 {
        /// 0 right, 1 left.
        platform: u8,
        /// Its height: the game's units are 0.75 times it plus 1.125.
        height: f32,
        ;
    }
}

columns! {
    /// The wind of Dream Land's tree changed.
    pub struct Whispy, WhispyRow: key 4 {
        /// 0 none, 1 left, 2 right.
        direction: u8,
        ;
    }
}

columns! {
    /// A transformation of Pokémon Stadium.
    pub struct Stadium, StadiumRow: key 4 {
        /// 2 initialise, 3 on the monitor, 4 receding, 5 rising, 6 finalise, 0 finished.
        event: u16,
        /// 3 fire, 4 grass, 5 normal, 6 rock, 9 water.
        kind: u16,
        ;
    }
}
