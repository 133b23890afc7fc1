//! States of rigid bodies: constructors, conversions, error states.

use mbs_core::rotation::{Attitude, Sequence, matrix_of, minus, norm, transform};
use mbs_core::{Error, RigidBodyState, StateRanges};

use crate::models::random::{Random, angle_between, attitudes, gap};

fn random_state(random: &mut Random) -> RigidBodyState {
    RigidBodyState::random(random.uniforms())
}

#[test]
fn parts_arrays_and_ranges_agree() {
    let values: [f64; 13] = core::array::from_fn(|i| i as f64 + 1.0);
    let body = RigidBodyState::from_array(values);
    let (r, q, v, w) = ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0], [11.0, 12.0, 13.0]);
    assert_eq!(RigidBodyState::new(r, q, v, w), body);
    assert_eq!((body.position(), body.orientation()), (r, q));
    assert_eq!((body.linear_velocity(), body.angular_velocity()), (v, w));
    assert_eq!(values[RigidBodyState::POSITION], r);
    assert_eq!(values[RigidBodyState::ORIENTATION], q);
    assert_eq!(values[RigidBodyState::LINEAR_VELOCITY], v);
    assert_eq!(values[RigidBodyState::ANGULAR_VELOCITY], w);
    assert_eq!(RigidBodyState::try_from(&values[..]), Ok(body));
    assert_eq!(<[f64; 13]>::from(body), values);
    assert_eq!(RigidBodyState::try_from(&values[1..]), Err(Error::Size { expected: 13, found: 12 }));
}

#[test]
fn quaternions_are_normalised_on_request_only() {
    let body = RigidBodyState::new([0.0; 3], [2.0, 0.0, 0.0, 2.0], [1.0, 0.0, 0.0], [0.0; 3]);
    assert_eq!(body.orientation(), [2.0, 0.0, 0.0, 2.0]);
    let half = core::f64::consts::FRAC_1_SQRT_2;
    assert!(gap(body.unit_orientation(), [half, 0.0, 0.0, half]) < 2e-16);
    assert_eq!(body.normalized().orientation(), body.unit_orientation());
    assert_eq!(body.flipped().orientation(), [-2.0, 0.0, 0.0, -2.0]);
    assert_eq!(body.flipped().near(&body), body);
    // A quarter revolution about z: the world's x axis is the body's −y axis, for any length of the quaternion.
    assert!(gap(body.body_velocity(), [0.0, -1.0, 0.0]) < 1e-15);
}

#[test]
fn the_zero_state_has_the_identity_attitude() {
    let zero = RigidBodyState::zero();
    assert_eq!(zero.orientation(), [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(zero.as_array().iter().sum::<f64>(), 1.0);
    assert_eq!(RigidBodyState::default(), zero);
}

#[test]
fn ranges_follow_the_attitude() {
    let ranges = StateRanges::new(Attitude::Quaternion);
    assert_eq!(ranges.attitude, RigidBodyState::ORIENTATION);
    assert_eq!(ranges.linear_velocity, RigidBodyState::LINEAR_VELOCITY);
    assert_eq!((ranges.angular_velocity.clone(), ranges.len()), (RigidBodyState::ANGULAR_VELOCITY, 13));
    let ranges = StateRanges::new(Attitude::Euler(Sequence::ZYX));
    assert_eq!((ranges.position.clone(), ranges.attitude.clone()), (0..3, 3..6));
    assert_eq!((ranges.linear_velocity.clone(), ranges.angular_velocity.clone()), (6..9, 9..12));
    assert!(ranges.len() == 12 && !ranges.is_empty());
}

#[test]
fn states_of_every_attitude_convert_there_and_back() {
    let mut random = Random::new(60);
    for attitude in attitudes() {
        let n = StateRanges::new(attitude).len();
        for _ in 0..100 {
            let body = random_state(&mut random);
            let (mut x, mut near) = (vec![0.0; n], vec![0.0; n]);
            body.write_state(attitude, &mut x).unwrap();
            let back = RigidBodyState::from_state(attitude, &x).unwrap();
            // Conversions of attitudes round 50 times; all other parts are copied.
            assert!(gap(back.minus(&body), [0.0; 12]) < 4e-15, "{attitude} {body:?}");
            assert_eq!((back.position(), back.linear_velocity()), (body.position(), body.linear_velocity()));
            assert_eq!(back.angular_velocity(), body.angular_velocity());
            body.flipped().write_state_near(attitude, &x, &mut near).unwrap();
            let worst = x.iter().zip(&near).fold(0.0, |worst: f64, (a, b)| worst.max((a - b).abs()));
            let regularity = attitude.regularity(&x[3..]);
            assert!(worst < 1e-14 / (regularity * regularity), "{attitude} {x:?} {near:?}");
        }
        let mut short = vec![0.0; n - 1];
        let wrong = Error::Size { expected: n, found: n - 1 };
        let body = RigidBodyState::zero();
        assert_eq!(RigidBodyState::from_state(attitude, &short), Err(wrong));
        assert_eq!(body.write_state(attitude, &mut short), Err(wrong));
        let hint = short.clone();
        assert_eq!(body.write_state_near(attitude, &hint, &mut vec![0.0; n]), Err(wrong));
    }
}

#[test]
fn velocities_change_axes_by_the_attitude() {
    let mut random = Random::new(61);
    for _ in 0..200 {
        let body = random_state(&mut random);
        let velocity = random.vector(3.0);
        let moved = body.with_body_velocity(velocity);
        assert!(gap(moved.body_velocity(), velocity) < 5e-15);
        let r = matrix_of(body.orientation());
        assert!(gap(moved.linear_velocity(), transform(r, velocity)) < 5e-15);
        assert!(gap(body.world_angular_velocity(), transform(r, body.angular_velocity())) < 5e-15);
        assert_eq!((moved.position(), moved.orientation()), (body.position(), body.orientation()));
        assert!(gap(body.with_body_velocity(body.body_velocity()).linear_velocity(), body.linear_velocity()) < 5e-15);
    }
}

#[test]
fn error_states_have_twelve_coordinates_and_rotate_in_body_axes() {
    let mut random = Random::new(62);
    for _ in 0..500 {
        let (x, y, delta) = (random_state(&mut random), random_state(&mut random), random.vector(1.5));
        assert!(gap(x.plus(&delta).minus(&x), delta) < 1e-14, "{x:?} {delta:?}");
        assert!(gap(y.plus(&x.minus(&y)).minus(&x), [0.0; 12]) < 6e-15, "{x:?} {y:?}");
        assert!(gap(x.flipped().minus(&x), [0.0; 12]) < 1e-15);
        let rotation = minus(x.plus(&delta).orientation(), x.orientation());
        assert!(gap(rotation, [delta[3], delta[4], delta[5]]) < 1e-14);
    }
}

#[test]
fn random_states_cover_their_box_and_all_attitudes() {
    let mut random = Random::new(63);
    let (mut lower, mut upper) = (RigidBodyState::zero(), RigidBodyState::zero());
    for _ in 0..2000 {
        let body = random_state(&mut random);
        assert!((norm(body.orientation()) - 1.0).abs() < 4e-16);
        let values = body.as_array();
        lower = RigidBodyState::from_array(core::array::from_fn(|i| lower.as_array()[i].min(values[i])));
        upper = RigidBodyState::from_array(core::array::from_fn(|i| upper.as_array()[i].max(values[i])));
        assert!(values.iter().all(|x| x.abs() <= 1.0));
    }
    // With 2000 samples, 1 % at an end contains none with a probability of 1e-9; quaternions near their poles are rarer.
    let ends = lower.as_array().iter().zip(upper.as_array());
    assert!(ends.clone().all(|(low, high)| *low < -0.9 && *high > 0.9), "{lower:?} {upper:?}");
    let near = RigidBodyState::random_between(&RigidBodyState::zero(), &RigidBodyState::zero(), random.uniforms());
    assert!(gap(near.position(), [0.0; 3]) == 0.0 && angle_between(near.orientation(), [1.0, 0.0, 0.0, 0.0]) > 0.0);
}
